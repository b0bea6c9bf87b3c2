import type { AgentAdapter, AgentSession, TurnResult } from "@holdpoint/engine";
import type { AgentInfo } from "@holdpoint/protocol";

import { problemOfEdit } from "../claude/problem-of-edit.ts";
import { TERMINALS, type TerminalKind } from "./terminal-kind.ts";

const GONE: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "The prompt in the terminal had ended before this answer reached it.",
};

/**
 * An agent for sessions in terminals, which are started elsewhere and only ask. Their requests come through
 * `TerminalAsks`.
 */
export function createTerminalAdapter(kind: TerminalKind): AgentAdapter {
  const { agent, label } = TERMINALS[kind];
  const info: AgentInfo = {
    agent,
    label,
    available: true,
    scripted: false,
    permissionModes: [{ mode: "default", label: "Set by the agent" }],
    defaultPermissionMode: "default",
    suggestedPrompts: [],
  };
  return {
    isPassive: true,
    // The terminal's runtime gets edits through the gateway's handler.
    problemOfEdit: ({ editedInput, input }) => problemOfEdit(editedInput, input),
    describe: () => Promise.resolve(info),
    openSession: () => Promise.resolve(SESSION),
    async [Symbol.asyncDispose]() {},
  };
}

const SESSION: AgentSession = {
  /** Called only for an answer whose hook never came. */
  runTurn: () => Promise.resolve(GONE),
  async setPermissionMode() {},
  async setModel() {},
  async [Symbol.asyncDispose]() {},
};
