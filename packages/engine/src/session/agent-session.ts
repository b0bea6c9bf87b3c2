import type { Core } from "../gateway/core.ts";
import { GatewayError } from "../lib/gateway-error.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import type { StoredSession } from "../ports/store.ts";
import type { LiveSession } from "./live-session.ts";
import type { RunningTurn } from "./running-turn.ts";

/** The agent could not be started; its message says why. */
export class AgentStartError extends GatewayError<"AGENT_NOT_STARTED"> {}

/** The session's agent, opened when its first turn needs it, from the state that it saved last. */
export async function openAgent(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
): Promise<AgentSession> {
  if (live.agent) return live.agent;
  const row = await mustGetRow(core, live.sessionId);
  const adapter = core.agents.get(row.agent);
  if (!adapter) {
    throw new AgentStartError("AGENT_NOT_STARTED", `This gateway has no agent ${row.agent}.`);
  }
  const { sessionId, cwd, permissionMode, model, agentState } = row;
  const agent = await adapter
    .openSession({
      sessionId,
      cwd,
      permissionMode,
      ...(model !== undefined && { model }),
      ...(agentState !== undefined && { state: agentState }),
    })
    .catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AgentStartError("AGENT_NOT_STARTED", detail, { cause: error });
    });
  if (turn.closed || turn.signal.aborted) {
    void dispose(core, agent);
    throw new AgentStartError("AGENT_NOT_STARTED", "The turn was stopped.");
  }
  live.agent = agent;
  // A change that came while it opened has been stored, but nobody could tell the agent.
  await applySettings(agent, row, await mustGetRow(core, sessionId));
  return agent;
}

/** Tells the agent what has changed between two rows. */
export async function applySettings(
  agent: AgentSession,
  before: StoredSession,
  after: StoredSession,
): Promise<void> {
  if (after.permissionMode !== before.permissionMode) {
    await agent.setPermissionMode(after.permissionMode);
  }
  if (after.model !== undefined && after.model !== before.model) await agent.setModel(after.model);
}

/** Ends the session's agent; the next turn opens a new one. Resolves once the agent has gone. */
export function discardAgent(core: Core, live: LiveSession): Promise<void> {
  const { agent } = live;
  live.agent = undefined;
  return agent ? dispose(core, agent) : Promise.resolve();
}

async function mustGetRow(core: Core, sessionId: string): Promise<StoredSession> {
  const row = await core.store.getSession(sessionId);
  if (!row) throw new AgentStartError("AGENT_NOT_STARTED", "The session was deleted.");
  return row;
}

function dispose(core: Core, agent: AgentSession): Promise<void> {
  return core.background.track(
    Promise.resolve(agent[Symbol.asyncDispose]()).catch((error: unknown) =>
      core.onError(error, "dispose agent"),
    ),
  );
}
