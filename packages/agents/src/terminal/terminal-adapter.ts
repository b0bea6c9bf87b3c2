import type { AgentAdapter, AgentSession, TurnResult } from "@holdpoint/engine";
import type { AgentInfo } from "@holdpoint/protocol";

/** The word for Claude Code in a terminal that somebody else has started. */
export const TERMINAL_AGENT = "terminal";

const INFO: AgentInfo = {
  agent: TERMINAL_AGENT,
  label: "Claude Code (terminal)",
  available: true,
  scripted: false,
  permissionModes: [{ mode: "default", label: "Its own" }],
  defaultPermissionMode: "default",
  suggestedPrompts: [],
};

const GONE: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "The prompt in the terminal had ended before it could be given this answer.",
};

/** Sessions in terminals: they only ask. What they ask comes through `TerminalAsks`. */
export function createTerminalAdapter(): AgentAdapter {
  return {
    isPassive: true,
    describe: () => Promise.resolve(INFO),
    openSession: () => Promise.resolve(SESSION),
    async [Symbol.asyncDispose]() {},
  };
}

const SESSION: AgentSession = {
  /** Only an answer that no hook has come for begins one. */
  runTurn: () => Promise.resolve(GONE),
  async setPermissionMode() {},
  async setModel() {},
  async [Symbol.asyncDispose]() {},
};
