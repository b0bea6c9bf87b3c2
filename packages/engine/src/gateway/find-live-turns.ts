import type { LeftTurn } from "../turn/attach-turn.ts";
import type { Core } from "./core.ts";
import { lastTurn } from "./interrupted-turn.ts";

/** Turns that continue in this gateway, by session. */
export type LiveTurns = ReadonlyMap<string, LeftTurn>;

/** The turns whose agents a previous gateway left to their hosts, as far as the log confirms them. */
export async function findLiveTurns(core: Core): Promise<LiveTurns> {
  const turns = new Map<string, LeftTurn>();
  for (const adapter of core.agents.values()) {
    const found = await adapter
      .findLive?.()
      .catch((error: unknown) => core.onError(error, "agents"));
    for (const { sessionId, turnId } of found ?? []) {
      const session = await core.store.getSession(sessionId);
      const isOwn = session && core.agents.get(session.agent) === adapter;
      const known = isOwn ? await lastTurn(core, session) : undefined;
      if (known?.turnId !== turnId) continue;
      turns.set(sessionId, { turnId, isStopped: known.isStopped });
    }
  }
  return turns;
}
