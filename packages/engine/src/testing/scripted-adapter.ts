import type { AgentInfo } from "@holdpoint/protocol";

import type {
  AgentAdapter,
  AgentSession,
  OpenSessionOptions,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "../ports/agent-adapter.ts";

export type TurnScript = (message: TurnMessage, context: TurnContext) => Promise<TurnResult>;

export interface ScriptedAdapter extends AgentAdapter {
  /** Every session that was opened, in order. */
  readonly opened: readonly ScriptedSession[];
  /** Every message that a turn was run for, in order. */
  readonly messages: readonly TurnMessage[];
}

export interface ScriptedSession {
  readonly options: OpenSessionOptions;
  permissionMode: string;
  model: string | undefined;
  disposed: boolean;
}

/** An agent that does in each turn what the function says. */
export function createScriptedAdapter(
  script: TurnScript,
  info: Partial<AgentInfo> = {},
): ScriptedAdapter {
  const opened: ScriptedSession[] = [];
  const messages: TurnMessage[] = [];
  return {
    opened,
    messages,
    commandFields: { Bash: "command" },
    async describe() {
      return {
        agent: "scripted",
        label: "Scripted agent",
        available: true,
        scripted: true,
        permissionModes: [
          { mode: "default", label: "Ask" },
          { mode: "relaxed", label: "Ask less" },
        ],
        defaultPermissionMode: "default",
        suggestedPrompts: [],
        ...info,
      };
    },
    async openSession(options) {
      const session: ScriptedSession = {
        options,
        permissionMode: options.permissionMode,
        model: options.model,
        disposed: false,
      };
      opened.push(session);
      return createSession(session, (message, context) => {
        messages.push(message);
        return script(message, context);
      });
    },
    async [Symbol.asyncDispose]() {},
  };
}

function createSession(session: ScriptedSession, script: TurnScript): AgentSession {
  return {
    runTurn: script,
    async setPermissionMode(mode) {
      session.permissionMode = mode;
    },
    async setModel(model) {
      session.model = model;
    },
    async [Symbol.asyncDispose]() {
      session.disposed = true;
    },
  };
}
