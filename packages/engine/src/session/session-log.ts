import { addedTo, type Interaction, isLate, type LateStatus, needOf } from "@holdpoint/protocol";

import { BackgroundTasks } from "../lib/background-tasks.ts";
import { createSerial } from "../lib/serial.ts";
import type {
  AppendResult,
  Batch,
  InteractionWrite,
  Store,
  StoredInteraction,
  StoredSession,
} from "../ports/store.ts";
import { findWritten } from "./find-written.ts";
import { InteractionsWithNotes } from "./interactions-with-notes.ts";
import type { LiveSessions } from "./live-sessions.ts";

/** Whether an interaction can be answered, the effect of its answer, and whether the overview lists it. */
export interface InteractionState extends Pick<Interaction, "status" | "hold"> {
  readonly leftOverview?: true | undefined;
}

export type OverviewRow = Pick<StoredInteraction, "interaction" | "leftOverview" | "traceparent">;

/** Receives the changes in all sessions, and tracks which of them have interactions that can be answered. */
export interface SessionsOverview {
  sessionAdded(sessionId: string): void;
  sessionChanged(sessionId: string): void;
  /** Call this when the session's row was written. */
  sessionWritten(
    sessionId: string,
    row: { readonly isArchived: boolean; readonly seenBy: StoredSession["seenBy"] },
  ): void;
  sessionDeleted(sessionId: string): void;
  /** `before`: the previous state of the interaction, if it existed. */
  interactionChanged(row: OverviewRow, before: InteractionState | undefined): void;
  grantsChanged(): void;
  hasPending(sessionId: string): boolean;
  isParked(sessionId: string): boolean;
  /** Whether an interaction of the session takes a late answer. */
  hasLate(sessionId: string): boolean;
}

/** An interaction whose wait has ended, and when. */
export interface Closed {
  readonly status: LateStatus;
  readonly closedAtMs: number;
}

/** Writes to the logs of all sessions, and publishes each write before its caller gets the result. */
export class SessionLog {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #overview: SessionsOverview;
  readonly #beforeWrite: (batch: Batch) => void;
  readonly #onClosed: (closed: Closed) => void;
  readonly #writes = new BackgroundTasks();
  readonly #countedWrites = createSerial();
  readonly #noted = new InteractionsWithNotes();

  constructor(parts: {
    readonly store: Store;
    readonly sessions: LiveSessions;
    readonly overview: SessionsOverview;
    /** Called before a batch is written. */
    readonly beforeWrite: (batch: Batch) => void;
    /** Called after an interaction was written as expired or orphaned. */
    readonly onClosed: (closed: Closed) => void;
  }) {
    this.#store = parts.store;
    this.#sessions = parts.sessions;
    this.#overview = parts.overview;
    this.#beforeWrite = parts.beforeWrite;
    this.#onClosed = parts.onClosed;
  }

  /**
   * The store's `append`: takes effect in the order of the calls. A batch that was written although the store
   * reported a failure counts as written.
   */
  append(batch: Batch): Promise<AppendResult> {
    this.#beforeWrite(batch);
    for (const { row } of batch.interactions ?? []) this.#noted.consider(row);
    return this.#writes.track(this.#append(batch));
  }

  /** Resolves when no write is in progress. */
  flush(): Promise<void> {
    return this.#writes.settled();
  }

  /**
   * Batches that change interactions with votes or notes are compared one after another, so that no write removes an
   * addition by another one.
   */
  async #append(batch: Batch): Promise<AppendResult> {
    const counted = (batch.interactions ?? []).filter((write) => this.#isCounted(write));
    if (counted.length === 0) return this.#write(batch);
    return this.#countedWrites(async () => {
      for (const write of counted) {
        const { interactionId } = write.row.interaction;
        const current = await this.#store.getInteraction(interactionId);
        if (current && addedTo(current.interaction) === expectedAddedOf(write)) continue;
        const conflict = {
          kind: "interaction",
          interactionId,
          ...(current && { current }),
        } as const;
        return { status: "conflict", conflict };
      }
      return this.#write(batch);
    });
  }

  /** Whether people can add to the interaction without changing its status. */
  #isCounted({ row: { interaction }, expectedStatus }: InteractionWrite): boolean {
    if (expectedStatus === undefined) return false;
    return needOf(interaction) > 1 || this.#noted.has(interaction.interactionId);
  }

  async #write(batch: Batch): Promise<AppendResult> {
    const result = await this.#store.append(batch).catch(async (error: unknown) => {
      const written = await findWritten(this.#store, batch);
      if (!written) throw error;
      return written;
    });
    if (result.status === "appended") this.#publish(batch, result);
    return result;
  }

  #publish(batch: Batch, result: Extract<AppendResult, { status: "appended" }>): void {
    const { sessionId } = batch;
    const live = this.#sessions.peek(sessionId);
    live?.publish(batch.events ?? [], result.events, result.lastSeq);
    if (batch.enqueue || batch.dequeue) live?.queueChanged();
    if (batch.grants?.length) this.#overview.grantsChanged();
    if (batch.session) {
      const { archivedAt, seenBy } = batch.session;
      this.#overview.sessionWritten(sessionId, { isArchived: archivedAt !== undefined, seenBy });
    }
    for (const { row, ...expected } of batch.interactions ?? []) {
      this.#overview.interactionChanged(row, toState(row, expected));
      this.#considerClosed(row);
      this.#noted.written(row);
    }
  }

  #considerClosed({ interaction, leftOverview }: StoredInteraction): void {
    const { status, closedAt } = interaction;
    if (!isLate(status) || closedAt === undefined || leftOverview) return;
    this.#onClosed({ status, closedAtMs: Date.parse(closedAt) });
  }
}

function expectedAddedOf({ row, expectedAdded }: InteractionWrite): number {
  return expectedAdded ?? addedTo(row.interaction);
}

/** The previous state of a written interaction. A write that expects no hold does not change it. */
function toState(
  { interaction, leftOverview }: StoredInteraction,
  {
    expectedStatus: status,
    expectedHold: hold = interaction.hold,
    leavesOverview,
  }: Omit<InteractionWrite, "row">,
): InteractionState | undefined {
  return status && { status, hold, leftOverview: leavesOverview ? undefined : leftOverview };
}
