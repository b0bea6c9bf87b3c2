import { INTERACTION_STATUSES, ProtocolError } from "@holdpoint/protocol";

import { createSerial } from "../lib/serial.ts";
import type { StoredSession } from "../ports/store.ts";
import { removeUnneeded, type RemoveUnneededParts } from "../session/remove-unneeded.ts";
import type { Core } from "./core.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How long nothing has changed in a session that makes room: one in which nothing was ever asked, and any other. */
const RESTS_MS = {
  /** Of those whose agent has ended. */
  ended: { silent: 0, any: DAY_MS },
  /** Of those whose agent may have been killed: nobody has said that it has ended. */
  quiet: { silent: HOUR_MS, any: 7 * DAY_MS },
} as const;
type Which = keyof (typeof RESTS_MS)["ended"];
/** After a look that found too little, so long nothing is made. */
const REFUSED_MS = 10_000;
const PAGE = 100;

type RoomParts = RemoveUnneededParts & Pick<Core, "limits" | "onError" | "overview">;

/**
 * Keeps the number of sessions of agents that somebody else has started. One more makes the oldest go that have ended and that nobody
 * needs; first those in which nothing was ever asked, so that a program which makes many cannot push out what people have answered.
 */
export class RoomElsewhere {
  readonly #parts: () => RoomParts;
  readonly #oneByOne = createSerial();
  /** How many there are, or some more; counted once there are so many sessions in all that it matters. */
  readonly #known = new Map<string, number>();
  #refusedUntilMs = -Infinity;

  constructor(parts: () => RoomParts) {
    this.#parts = parts;
  }

  /** Makes a session of this creator. Rejects with `NO_ROOM` when there are too many that stay. */
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

  /** A tenth at once: to look through all of them is not for each. */
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

  /** The one that was used longest ago is the first. */
  async #listOf(createdBy: string): Promise<readonly StoredSession[]> {
    const { store } = this.#parts();
    const own: StoredSession[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.listSessions({ limit: PAGE, ...(cursor && { cursor }) });
      own.push(...page.items.filter((session) => session.createdBy === createdBy));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return own.toSorted((left, right) => Date.parse(left.updatedAt) - Date.parse(right.updatedAt));
  }
}

function noRoom(most: number): ProtocolError {
  const detail = `There are ${most} sessions in terminals already, and none that has ended and is old enough to go.`;
  return new ProtocolError("NO_ROOM", detail);
}
