import { setImmediate } from "node:timers/promises";

import type {
  AgentAdapter,
  AgentSession,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "@holdpoint/engine";
import type { AgentInfo } from "@holdpoint/protocol";

const INFO: AgentInfo = {
  agent: "mcp",
  label: "Program",
  available: true,
  scripted: false,
  permissionModes: [{ mode: "default", label: "Set by the agent" }],
  defaultPermissionMode: "default",
  suggestedPrompts: [],
};

/** Agents started by a person: they call the gateway's tools, and get messages only with the results of their calls. */
export interface ExternalAdapter extends AgentAdapter {
  /**
   * Takes the pending message for the session's agent, such as a late answer, and ends the message's turn. The caller
   * passes it to the agent with the result of its next call.
   */
  takeMessage(sessionId: string): Promise<string | undefined>;
}

export function createExternalAdapter(): ExternalAdapter {
  const waiting = new Map<string, WaitingMessage>();
  return {
    isPassive: true,
    describe: () => Promise.resolve(INFO),
    openSession: ({ sessionId }) => Promise.resolve(createSession(sessionId, waiting)),
    async takeMessage(sessionId) {
      const message = waiting.get(sessionId);
      if (!message) return undefined;
      message.take();
      // After one round of the event loop the turn has ended, so the agent's next call does not belong to it.
      await setImmediate();
      return message.content;
    },
    async [Symbol.asyncDispose]() {},
  };
}

interface WaitingMessage {
  readonly content: string;
  readonly take: () => void;
}

function createSession(sessionId: string, waiting: Map<string, WaitingMessage>): AgentSession {
  return {
    runTurn: ({ content }: TurnMessage, { signal }: TurnContext) =>
      new Promise<TurnResult>((resolve) => {
        const end = (reason: "done" | "stopped"): void => {
          waiting.delete(sessionId);
          resolve({ reason });
        };
        if (signal.aborted) return end("stopped");
        signal.addEventListener("abort", () => end("stopped"), { once: true });
        waiting.set(sessionId, { content, take: () => end("done") });
      }),
    async setPermissionMode() {},
    async setModel() {},
    async [Symbol.asyncDispose]() {},
  };
}
