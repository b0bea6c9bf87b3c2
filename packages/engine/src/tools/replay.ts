import { lateMessageKey } from "../interaction/late-response-message.ts";
import type { KeptResult, Store, StoredInteraction } from "../ports/store.ts";

/** A call with a result that its agent may not have received. */
export interface EndedCall {
  readonly kept: KeptResult;
  /** Its interactions, without those whose answers are sent as messages. */
  readonly rows: readonly StoredInteraction[];
}

/** The interactions of an earlier run of a call that the gateway's death has ended: step → round → row. */
export class Replay {
  readonly #steps = new Map<number, Map<number, StoredInteraction>>();
  readonly ended: EndedCall | undefined;

  constructor(rows: readonly StoredInteraction[], ended?: EndedCall) {
    this.ended = ended;
    for (const row of rows) {
      if (!row.call) continue;
      const rounds = this.#steps.get(row.call.step) ?? new Map<number, StoredInteraction>();
      this.#steps.set(row.call.step, rounds.set(row.interaction.attempt, row));
    }
  }

  get interactionIds(): string[] {
    return this.#rows.map(({ interaction }) => interaction.interactionId);
  }

  /** Whether the earlier run may have done its work: it had an approval and no open request. */
  get mayHaveRun(): boolean {
    return this.#rows.some(hasBegun) && !this.#rows.some(isOpen);
  }

  get #rows(): StoredInteraction[] {
    return [...this.#steps.values()].flatMap((rounds) => [...rounds.values()]);
  }

  find(step: number, attempt: number): StoredInteraction | undefined {
    return this.#steps.get(step)?.get(attempt);
  }
}

function hasBegun({ call }: StoredInteraction): boolean {
  return call?.begun === true;
}

/** Whether no one has received its answer. */
function isOpen(stored: StoredInteraction): boolean {
  const { status } = stored.interaction;
  return status === "pending" || (status === "answered" && !hasBegun(stored));
}

/**
 * Finds the interactions to replay. For a call that has ended, only the result is replayed, as long as the agent may
 * not have it. The call's id may have come again for another call, and the answer to one is no answer to the other
 * (R-5).
 */
export async function loadReplay(
  store: Pick<Store, "findMessage" | "listToolCallInteractions">,
  call: {
    readonly sessionId: string;
    readonly toolCallId: string;
    readonly callDigest: string;
  },
): Promise<Replay> {
  const { sessionId, toolCallId, callDigest } = call;
  const rows = await store.listToolCallInteractions(sessionId, toolCallId);
  const same = rows.filter((row) => row.call?.callDigest === callDigest);
  const ended = await findEnded(store, same);
  if (ended) return new Replay([], ended);
  const own = same.filter(({ call: note }) => note?.finished !== true);
  return new Replay(own.some(hasEndedCall) ? [] : own);
}

async function findEnded(
  store: Pick<Store, "findMessage">,
  same: readonly StoredInteraction[],
): Promise<EndedCall | undefined> {
  const kept = same.findLast(({ keptResult }) => keptResult !== undefined)?.keptResult;
  if (!kept) return undefined;
  const rows: StoredInteraction[] = [];
  for (const row of same) {
    const key = lateMessageKey(row.interaction);
    const isSaid = await store.findMessage(row.interaction.sessionId, key);
    if (row.keptResult || !isSaid) rows.push(row);
  }
  return { kept, rows };
}

/** Whether its withdrawal, or its delivery as a message, ended its call. */
export function hasEndedCall({ interaction: { status, how } }: StoredInteraction): boolean {
  return status === "withdrawn" || (status === "delivered" && how === "user_message");
}
