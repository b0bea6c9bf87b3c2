import {
  type AgentAdapter,
  type AgentSession,
  type Clock,
  type Ids,
  type OpenSessionOptions,
  GatewayError,
} from "@holdpoint/engine";
import type { AgentInfo } from "@holdpoint/protocol";

import { DemoSession } from "./demo-session.ts";
import type { FileToolCall } from "./file-tool.ts";
import { DEFAULT_MODE, PERMISSION_MODES } from "./permission-mode.ts";
import { PROMPTS } from "./prompts.ts";
import { scratchFolderOf } from "./scratch-folder.ts";
import type { CallGatewayTool } from "./step-player.ts";

export interface DemoAdapterOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Each session gets a folder in it. The demo agent writes nowhere else. */
  readonly scratchRoot: string;
  /** Delay between two words, so that streaming is visible. Default: 12 ms; 0: everything at once. */
  readonly delayMs?: number;
  /** Calls a gateway tool for a session. Never rejects. Default: an error result. */
  readonly callTool?: (
    call: Parameters<CallGatewayTool>[0] & { readonly sessionId: string },
    options: Parameters<CallGatewayTool>[1],
  ) => ReturnType<CallGatewayTool>;
  /** Called for each tool call that really ran. */
  readonly onToolRun?: (call: FileToolCall) => void;
}

const INFO: AgentInfo = {
  agent: "demo",
  label: "Demo agent (scripted, no model)",
  available: true,
  scripted: true,
  takesAttachments: true,
  permissionModes: PERMISSION_MODES,
  defaultPermissionMode: DEFAULT_MODE,
  suggestedPrompts: [
    PROMPTS.tour,
    PROMPTS.questions,
    PROMPTS.edit,
    PROMPTS.threeThings,
    PROMPTS.form,
  ],
};

const NO_TOOLS = { content: "This gateway has no tools.", isError: true };

/** An agent that follows a script: needs no network, key or process, and shows every kind of interaction. */
export function createDemoAdapter(options: DemoAdapterOptions): AgentAdapter {
  const { clock, ids, scratchRoot, delayMs = 12, onToolRun = () => undefined } = options;
  const { callTool = async () => NO_TOOLS } = options;
  const sessions = new Set<AgentSession>();
  let isDisposed = false;
  return {
    describe: () => Promise.resolve(INFO),
    async openSession(open: OpenSessionOptions) {
      if (isDisposed) throw new GatewayError("ADAPTER_CLOSED", "The demo agent was shut down.");
      const folder = scratchFolderOf(scratchRoot, open.sessionId);
      const session: AgentSession = new DemoSession({
        open,
        folder,
        clock,
        ids,
        delayMs,
        callTool: (call, { signal }) =>
          callTool({ ...call, sessionId: open.sessionId }, { signal }),
        onToolRun,
        onClose: () => sessions.delete(session),
      });
      sessions.add(session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      for (const session of sessions) await session[Symbol.asyncDispose]();
    },
  };
}
