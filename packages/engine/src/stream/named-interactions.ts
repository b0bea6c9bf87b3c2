import {
  type Interaction,
  isAnswerable,
  isAskedOf,
  isNamed,
  maySee,
  namedIn,
  nextStepOf,
  pagesOf,
  type Seen,
  type Sight,
  type Viewer,
  withoutComments,
} from "@holdpoint/protocol";

import { EarliestTimer } from "../lib/earliest-timer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { OverviewRow } from "../session/session-log.ts";

const PAGE = 500;

/** An interaction that can be answered, but not by everyone. */
interface Entry extends Pick<
  Interaction,
  "notes" | "responders" | "sessionId" | "startedAt" | "votes"
> {
  readonly list: "late" | "pending";
  readonly named: Seen["named"];
}

/** How many of these interactions one person sees. */
export interface NamedCounts {
  /** In sessions that the person does not see. */
  readonly pending: number;
  readonly late: number;
  /** Interactions that the person sees and is not asked to answer. */
  readonly forOthers: number;
}

/** The interactions that can be answered and have a responder policy, with the people they count for. */
export class NamedInteractions implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  /** For the earliest next step. */
  readonly #timer: EarliestTimer;

  /** `onStep` is called when a policy adds people. */
  constructor(clock: Clock, onStep: () => void) {
    this.#clock = clock;
    this.#timer = new EarliestTimer(clock, () => {
      for (const each of this.#entries.values()) this.#arm(each);
      onStep();
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(interactionId: string): Entry | undefined {
    return this.#entries.get(interactionId);
  }

  /** Ids of interactions that were reassigned to others, who are asked instead. */
  handedOver(): readonly string[] {
    return [...this.#entries].flatMap(([interactionId, { notes }]) =>
      notes?.handOvers?.some(({ instead }) => instead) ? [interactionId] : [],
    );
  }

  /** Reads the interactions from the store. Rejects when it cannot be read. */
  async begin(store: Pick<Store, "listInteractions">): Promise<void> {
    const statuses = ["pending", "expired", "orphaned"] as const;
    const query = { statuses, onlyNamed: true, limit: PAGE };
    for await (const { items } of pagesOf((start) =>
      store.listInteractions({ ...query, ...start }),
    )) {
      for (const row of items) this.changed(row);
    }
  }

  changed({ interaction, leftOverview }: OverviewRow): void {
    const { interactionId, status, responders, sessionId, startedAt, votes, notes } = interaction;
    if (!responders) return;
    if (!isAnswerable(interaction) || (leftOverview && status !== "pending")) {
      this.#entries.delete(interactionId);
      return;
    }
    const entry: Entry = {
      list: status === "pending" ? "pending" : "late",
      named: namedIn(responders),
      responders,
      sessionId,
      startedAt,
      votes,
      ...(notes && { notes: withoutComments(notes) }),
    };
    this.#entries.set(interactionId, entry);
    this.#arm(entry);
  }

  /** Removes the session's interactions. Returns their ids, each with the people it named. */
  sessionDeleted(sessionId: string): ReadonlyMap<string, Seen["named"]> {
    const gone = [...this.#entries].filter(([, entry]) => entry.sessionId === sessionId);
    for (const [id] of gone) this.#entries.delete(id);
    return new Map(gone.map(([id, { named }]) => [id, named]));
  }

  /** The counts for this person, in addition to counts of the sessions that they see. */
  countsOf(
    viewer: Viewer,
    sight: Sight | undefined,
    seenByOf: (sessionId: string) => Seen["seenBy"],
  ): NamedCounts {
    const at = new Date(this.#clock.now()).toISOString();
    const counts = { pending: 0, late: 0, forOthers: 0 };
    for (const entry of this.#entries.values()) {
      const isOwn = maySee({ seenBy: seenByOf(entry.sessionId) }, sight);
      if (!isOwn && !isNamed(entry.named, sight?.names ?? [])) continue;
      if (!isOwn) counts[entry.list] += 1;
      if (!isAskedOf(entry, viewer, at)) counts.forOthers += 1;
    }
    return counts;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #arm(entry: Entry): void {
    const next = nextStepOf(entry, this.#clock.now());
    if (next) this.#timer.consider(next.atMs);
  }
}
