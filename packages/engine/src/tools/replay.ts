import type { Store, StoredInteraction } from "../ports/store.ts";

/** What an earlier run of a call has asked, when the gateway's death has ended that run. Step → round → row. */
export class Replay {
  readonly #steps = new Map<number, Map<number, StoredInteraction>>();

  constructor(rows: readonly StoredInteraction[]) {
    for (const row of rows) {
      if (!row.call) continue;
      const rounds = this.#steps.get(row.call.step) ?? new Map<number, StoredInteraction>();
      this.#steps.set(row.call.step, rounds.set(row.interaction.attempt, row));
    }
  }

  get interactionIds(): string[] {
    const rows = [...this.#steps.values()].flatMap((rounds) => [...rounds.values()]);
    return rows.map(({ interaction }) => interaction.interactionId);
  }

  find(step: number, attempt: number): StoredInteraction | undefined {
    return this.#steps.get(step)?.get(attempt);
  }
}

/**
 * Finds what is to be replayed. Nothing of a call that has ended is: its id may have come again for another call, and the
 * answer to one is no answer to the other.
 */
export async function loadReplay(
  store: Pick<Store, "listToolCallInteractions">,
  call: {
    readonly sessionId: string;
    readonly toolCallId: string;
    readonly callDigest: string;
  },
): Promise<Replay> {
  const { sessionId, toolCallId, callDigest } = call;
  const rows = await store.listToolCallInteractions(sessionId, toolCallId);
  const own = rows.filter(
    (row) => row.call?.callDigest === callDigest && row.call.finished !== true,
  );
  return new Replay(own.some(hasEndedCall) ? [] : own);
}

/** Its withdrawal or its delivery as a message was the end of its call. */
export function hasEndedCall({ interaction: { status, how } }: StoredInteraction): boolean {
  return status === "withdrawn" || (status === "delivered" && how === "user_message");
}
