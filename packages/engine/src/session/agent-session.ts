import type { BackgroundTasks } from "../lib/background-tasks.ts";
import { GatewayError } from "../lib/gateway-error.ts";
import type { AgentAdapter, AgentSession } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { modeThatHolds } from "./limited-mode.ts";
import type { LiveSession } from "./live-session.ts";
import type { RunningTurn } from "./running-turn.ts";

/** The agent could not be started, for the reason in the message. */
export class AgentStartError extends GatewayError<"AGENT_NOT_STARTED"> {}

/** The agent refused a change of this setting. The cause is its own error. */
export class SettingRefusedError extends GatewayError<"SETTING_REFUSED"> {
  readonly setting: "permissionMode" | "model";

  constructor(setting: "permissionMode" | "model", cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super("SETTING_REFUSED", `The agent refused the change: ${problem}`, { cause });
    this.setting = setting;
  }
}

export interface DiscardAgentParts {
  readonly background: BackgroundTasks;
  readonly onError: (error: unknown, where: string) => void;
}

export interface StartAgentParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly clock: Clock;
  readonly draining: AbortSignal;
}

export interface OpenAgentParts extends DiscardAgentParts, StartAgentParts {
  readonly store: Store;
}

/**
 * The session's agent. It is opened when its first turn needs it, from the state that it saved last. Rejects with
 * `AgentStartError`, including when the turn has been stopped.
 */
export async function openAgent(
  parts: OpenAgentParts,
  live: LiveSession,
  turn: RunningTurn,
): Promise<AgentSession> {
  if (live.agent) return live.agent;
  const row = await mustGetRow(parts.store, live.sessionId);
  const agent = await startAgent(parts, row);
  if (turn.closed || turn.needsNoAgent) {
    void dispose(parts, agent);
    throw new AgentStartError("AGENT_NOT_STARTED", "The turn was stopped.");
  }
  live.agent = agent;
  // A change made while the agent was being opened is stored, but has not reached the agent.
  await applySettings(agent, row, await mustGetRow(parts.store, live.sessionId));
  return agent;
}

/** Applies the differences between two rows to the agent. Rejects with `SettingRefusedError`. */
export async function applySettings(
  agent: AgentSession,
  before: StoredSession,
  after: StoredSession,
): Promise<void> {
  const { permissionMode, model } = after;
  if (permissionMode !== before.permissionMode) {
    await agent.setPermissionMode(permissionMode).catch((error: unknown) => {
      throw new SettingRefusedError("permissionMode", error);
    });
  }
  if (model !== before.model) {
    await agent.setModel(model).catch((error: unknown) => {
      throw new SettingRefusedError("model", error);
    });
  }
}

/** Ends the session's agent; the next turn opens a new one. Resolves once the agent has ended. Never rejects. */
export async function discardAgent(parts: DiscardAgentParts, live: LiveSession): Promise<void> {
  const { agent } = live;
  live.agent = undefined;
  if (agent) await dispose(parts, agent);
}

/** Opens an agent for a stored session. Rejects with `AgentStartError`. */
export async function startAgent(
  { agents, clock, draining }: StartAgentParts,
  row: StoredSession,
): Promise<AgentSession> {
  const { agent, sessionId, cwd, model, agentState } = row;
  const adapter = agents.get(agent);
  if (!adapter) {
    throw new AgentStartError("AGENT_NOT_STARTED", `This gateway has no agent ${agent}.`);
  }
  try {
    const info = await adapter.describe({ signal: draining });
    return await adapter.openSession({
      sessionId,
      cwd,
      permissionMode: modeThatHolds(info, row, clock.now()),
      ...(model !== undefined && { model }),
      ...(agentState !== undefined && { state: agentState }),
    });
  } catch (error: unknown) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new AgentStartError("AGENT_NOT_STARTED", detail, { cause: error });
  }
}

async function mustGetRow(store: Store, sessionId: string): Promise<StoredSession> {
  const row = await store.getSession(sessionId);
  if (!row) throw new AgentStartError("AGENT_NOT_STARTED", "The session was deleted.");
  return row;
}

function dispose({ background, onError }: DiscardAgentParts, agent: AgentSession): Promise<void> {
  return background.track(
    Promise.resolve(agent[Symbol.asyncDispose]()).catch((error: unknown) =>
      onError(error, "dispose agent"),
    ),
  );
}
