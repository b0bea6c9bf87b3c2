import { INTERACTION_STATUSES, pagesOf, ProtocolError } from "@holdpoint/protocol";

import { createSerial } from "../lib/serial.ts";
import type { StoredSession } from "../ports/store.ts";
import { removeUnneeded, type RemoveUnneededParts } from "../session/remove-unneeded.ts";
import type { OverviewFeed } from "../stream/overview-feed.ts";
import type { GatewayLimits } from "./gateway-options.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How long a session must be unchanged to be removed: `silent` if nothing was ever asked in it, `any` otherwise. */
const RESTS_MS = {
  /** Sessions whose agent has ended. */
  ended: { silent: 0, any: DAY_MS },
  /** Sessions whose agent may have been killed, since its end was not reported. */
  quiet: { silent: HOUR_MS, any: 7 * DAY_MS },
} as const;
type Which = keyof (typeof RESTS_MS)["ended"];
/** How long new sessions are refused after too few could be removed. */
const REFUSED_MS = 10_000;
const PAGE = 100;

interface RoomParts extends RemoveUnneededParts {
  readonly limits: GatewayLimits;
  readonly overview: OverviewFeed;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Limits the number of sessions of agents that were started elsewhere. A new session removes the oldest ones that have
 * ended and that no one needs. Sessions in which nothing was ever asked go first, so that a program creating many of
 * them cannot push out answered ones.
 */
export class ExternalSessionLimit {
  readonly #parts: () => RoomParts;
  readonly #oneByOne = createSerial();
  /**
   * The number of sessions by creator, or slightly more. Counted only once the total number of sessions reaches the
   * limit.
   */
  readonly #known = new Map<string, number>();
  #refusedUntilMs = -Infinity;

  constructor(parts: () => RoomParts) {
    this.#parts = parts;
  }

  /** Creates a session for this creator. Rejects with `NO_ROOM` when too many sessions have to stay. */
  make(createdBy: string, create: () => Promise<unknown>): Promise<void> {
    return this.#oneByOne(async () => {
      const { limits, overview } = this.#parts();
      const inAll = overview.counts.sessions + overview.archivedSessions;
      const known = inAll < limits.sessionsElsewhere ? 0 : await this.#count(createdBy);
      if (known >= limits.sessionsElsewhere) await this.#makeRoom(createdBy);
      await create();
      const counted = this.#known.get(createdBy);
      if (counted !== undefined) this.#known.set(createdBy, counted + 1);
    });
  }

  async #count(createdBy: string): Promise<number> {
    const known = this.#known.get(createdBy) ?? (await this.#listOf(createdBy)).length;
    this.#known.set(createdBy, known);
    return known;
  }

  /** Removes a tenth of the sessions at once, because reading all of them for each new one is too slow. */
  async #makeRoom(createdBy: string): Promise<void> {
    const { clock, limits, onError } = this.#parts();
    const most = limits.sessionsElsewhere;
    if (clock.monotonic() < this.#refusedUntilMs) throw noRoom(most);
    const all = await this.#listOf(createdBy);
    let wanted = all.length - most + Math.max(1, Math.floor(most / 10));
    for (const which of ["silent", "any"] as const) {
      for (const session of all) {
        if (wanted > 0 && (await this.#remove(session, which))) wanted -= 1;
      }
    }
    const left = (await this.#listOf(createdBy)).length;
    this.#known.set(createdBy, left);
    if (left < most) return;
    this.#refusedUntilMs = clock.monotonic() + REFUSED_MS;
    onError(noRoom(most), "sessions");
    throw noRoom(most);
  }

  async #remove(listed: StoredSession, which: Which): Promise<boolean> {
    const parts = this.#parts();
    const { sessionId } = listed;
    const rests = ({ endedAt, updatedAt }: StoredSession): boolean => {
      const restsMs = RESTS_MS[endedAt === undefined ? "quiet" : "ended"][which];
      return parts.clock.now() - Date.parse(updatedAt) >= restsMs;
    };
    if (!rests(listed)) return false;
    const judge = async (session: StoredSession): Promise<true | undefined> => {
      if (!rests(session)) return undefined;
      const query = { sessionId, statuses: INTERACTION_STATUSES, limit: 1 };
      const isSilent = (await parts.store.listInteractions(query)).items.length === 0;
      return which === "any" || isSilent ? true : undefined;
    };
    return (await removeUnneeded(parts, sessionId, { judge })) === true;
  }

  /** The creator's sessions, least recently used first. */
  async #listOf(createdBy: string): Promise<readonly StoredSession[]> {
    const { store } = this.#parts();
    const own: StoredSession[] = [];
    for await (const { items } of pagesOf((start) =>
      store.listSessions({ limit: PAGE, ...start }),
    )) {
      own.push(...items.filter((session) => session.createdBy === createdBy));
    }
    return own.toSorted((left, right) => Date.parse(left.updatedAt) - Date.parse(right.updatedAt));
  }
}

function noRoom(most: number): ProtocolError {
  const detail = `There are ${most} sessions in terminals already, and none of them ended long enough ago to be removed.`;
  return new ProtocolError("NO_ROOM", detail);
}
