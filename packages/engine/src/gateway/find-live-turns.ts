import type { Core } from "./core.ts";
import { lastTurn } from "./interrupted-turn.ts";

/** Turns that go on in this gateway, by session. */
export type LiveTurns = ReadonlyMap<string, string>;

/** The turns whose agents the gateway before this one has left to their hosts, as far as the log knows them. */
export async function findLiveTurns(core: Core): Promise<LiveTurns> {
  const turns = new Map<string, string>();
  for (const adapter of core.agents.values()) {
    const found = await adapter
      .findLive?.()
      .catch((error: unknown) => core.onError(error, "agents"));
    for (const { sessionId, turnId } of found ?? []) {
      const session = await core.store.getSession(sessionId);
      const isKnown = session && core.agents.get(session.agent) === adapter;
      if (isKnown && (await lastTurn(core, session)).turnId === turnId)
        turns.set(sessionId, turnId);
    }
  }
  return turns;
}
