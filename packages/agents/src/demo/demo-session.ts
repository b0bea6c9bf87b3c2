import {
  type AgentSession,
  type Clock,
  type Ids,
  type OpenSessionOptions,
  type TurnContext,
  type TurnMessage,
  type TurnResult,
  GatewayError,
} from "@holdpoint/engine";

import { describeAttachments } from "./describe-attachments.ts";
import type { FileToolCall } from "./file-tool.ts";
import { isPermissionMode, passesEdits } from "./permission-mode.ts";
import { chooseScript } from "./scripts.ts";
import { StepPlayer, type CallGatewayTool } from "./step-player.ts";

export interface DemoSessionOptions {
  readonly open: OpenSessionOptions;
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly delayMs: number;
  readonly callTool: CallGatewayTool;
  readonly onToolRun: (call: FileToolCall) => void;
  readonly onClose: () => void;
}

/** One conversation with the demo agent. */
export class DemoSession implements AgentSession {
  readonly #options: DemoSessionOptions;
  readonly #closer = new AbortController();
  #permissionMode: string;
  #running: Promise<TurnResult> | undefined;

  constructor(options: DemoSessionOptions) {
    this.#options = options;
    this.#permissionMode = options.open.permissionMode;
  }

  async runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult> {
    this.#running = this.#play(message, context);
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  setPermissionMode(mode: string): Promise<void> {
    if (!isPermissionMode(mode)) {
      const message = "The demo agent has no such permission mode.";
      return Promise.reject(new GatewayError("UNKNOWN_PERMISSION_MODE", message));
    }
    this.#permissionMode = mode;
    return Promise.resolve();
  }

  /** Does nothing, since there is no model. */
  setModel(): Promise<void> {
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closer.abort();
    await this.#running;
    this.#options.onClose();
  }

  async #play(
    { content, attachments = [] }: TurnMessage,
    context: TurnContext,
  ): Promise<TurnResult> {
    const { folder, clock, ids, delayMs, callTool, onToolRun } = this.#options;
    const player = new StepPlayer({
      context,
      signal: AbortSignal.any([context.signal, this.#closer.signal]),
      folder,
      clock,
      ids,
      delayMs,
      callTool,
      onToolRun,
      passesEdits: () => passesEdits(this.#permissionMode),
    });
    try {
      return await player.play([...describeAttachments(attachments), ...chooseScript(content)]);
    } catch (error: unknown) {
      const message = error instanceof Error ? error.message : "The demo agent failed.";
      return { reason: "error", code: "AGENT_FAILED", message };
    }
  }
}
