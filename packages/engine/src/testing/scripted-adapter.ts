import type { AgentInfo } from "@holdpoint/protocol";

import type {
  AgentAdapter,
  AgentSession,
  OpenSessionOptions,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "../ports/agent-adapter.ts";
import { ScriptedParking, type Transcript } from "./scripted-parking.ts";

export type TurnScript = (message: TurnMessage, context: TurnContext) => Promise<TurnResult>;

export interface ScriptedAdapter extends AgentAdapter {
  /** The work of its agents by session, for an adapter that can park. */
  readonly transcripts: Map<string, Transcript>;
  /** Whether its agents survive the gateway in hosts. */
  hasHosts: boolean;
  /** All opened sessions, in order. */
  readonly opened: readonly ScriptedSession[];
  /** All messages that started a turn, in order. */
  readonly messages: readonly TurnMessage[];
  /** Empties both lists, for tests that measure memory. */
  forget(): void;
}

export interface ScriptedSession {
  readonly options: OpenSessionOptions;
  permissionMode: string;
  model: string | undefined;
  disposed: boolean;
  /** Present when the adapter can park. */
  readonly parking: ScriptedParking | undefined;
}

export interface ScriptedOptions extends Partial<AgentInfo> {
  /** Its agents can be parked. */
  readonly canPark?: true;
  /** Earlier work of agents that this adapter can start again. */
  readonly transcripts?: Map<string, Transcript>;
  /** Overrides of its sessions' methods. */
  readonly change?: (session: AgentSession) => Partial<AgentSession>;
}

/** An agent whose turns run the given function. */
export function createScriptedAdapter(
  script: TurnScript,
  { canPark, transcripts = new Map(), change, ...info }: ScriptedOptions = {},
): ScriptedAdapter {
  const opened: ScriptedSession[] = [];
  const messages: TurnMessage[] = [];
  const run: TurnScript = (message, context) => {
    messages.push(message);
    return script(message, context);
  };
  return {
    opened,
    messages,
    forget() {
      opened.length = 0;
      messages.length = 0;
    },
    transcripts,
    hasHosts: false,
    ...(canPark && { canPark }),
    async findLive() {
      if (!this.hasHosts) return [];
      return [...transcripts].map(([sessionId, { turnId }]) => ({ sessionId, turnId }));
    },
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
        parking: canPark && new ScriptedParking(run, transcripts, options.sessionId),
      };
      opened.push(session);
      const created = createSession(session, run);
      return { ...created, ...change?.(created) };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function createSession(session: ScriptedSession, script: TurnScript): AgentSession {
  const { parking } = session;
  return {
    runTurn: (message, context) =>
      parking ? parking.runTurn(message, context) : script(message, context),
    ...(parking && {
      attachTurn: (context) => parking.attachTurn(context),
      canResume: (toolCallId) => parking.canResume(toolCallId),
      findResult: (toolCallId) => parking.findResult(toolCallId),
      hasNotActed: (approved) => parking.hasNotActed(approved),
      park: () => parking.park(),
      resumeTurn: (toolCallId, context) => parking.resumeTurn(toolCallId, context),
      detach: () => parking.detach(),
    }),
    async setPermissionMode(mode) {
      session.permissionMode = mode;
    },
    async setModel(model) {
      session.model = model;
    },
    async [Symbol.asyncDispose]() {
      session.disposed = true;
      parking?.end({ reason: "stopped" });
    },
  };
}
