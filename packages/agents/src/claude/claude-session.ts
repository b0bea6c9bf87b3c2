import { createHash, type UUID } from "node:crypto";

import type {
  Options,
  PermissionMode,
  query,
  SDKMessage,
  SDKResultMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type {
  AgentSession,
  Clock,
  Ids,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import type { Judge } from "../protection/judge-tool-use.ts";
import type { Verdict } from "../protection/protected-paths.ts";
import type { ProcessStart } from "./claude-options.ts";
import { ClaudeProcess } from "./claude-process.ts";
import { ClaudeTurn } from "./claude-turn.ts";
import { deny } from "./denials.ts";
import { createDirectoryHook } from "./directory-hook.ts";
import { ASKING_MODE, findPermissionMode, type ModeConditions } from "./permission-modes.ts";
import { createProtectionHook } from "./protection-hook.ts";
import { createQuestionHook } from "./question-hook.ts";
import { EMPTY_STATE, serializeState, type SavedState } from "./saved-state.ts";
import type { Decision, ToolAsk } from "./tool-ask.ts";
import { toMcpServers, type ToolServer } from "./tool-server.ts";
import { isConversationGone, toTurnResult } from "./turn-result.ts";

/** How long the agent has to end a turn that was interrupted, before its process is ended. */
const STOP_GRACE_MS = 5000;

export interface ClaudeSessionOptions {
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  readonly state: SavedState;
  readonly modeConditions: ModeConditions;
  /** How long a process may idle between turns. */
  readonly idleMs: number;
  /** Loads the SDK. Rejects where it is not installed. */
  readonly loadQuery: () => Promise<typeof query>;
  /** Gives a process access to the gateway's tools. */
  readonly openTools: () => Promise<ToolServer | undefined>;
  readonly toOptions: (start: ProcessStart, keepErrorOutput: (text: string) => void) => Options;
  /** Says what must be done about a call before a person is asked. */
  readonly judge: Judge;
  readonly onDispose: () => void;
}

/**
 * One conversation with Claude. It has a process while a turn runs and for some time after; after that, or when the
 * process has died, the next turn starts another one, which resumes the conversation.
 */
export class ClaudeSession implements AgentSession {
  readonly #options: ClaudeSessionOptions;
  #mode: PermissionMode;
  #model: string | undefined;
  #state: SavedState;
  #process: ClaudeProcess | undefined;
  #turn: ClaudeTurn | undefined;
  /** The process of the running turn. Messages of another process belong to no turn. */
  #serving: ClaudeProcess | undefined;
  /** The runtime's id of the message that the running turn answers. */
  #promptId: string | undefined;
  #isConversationGone = false;
  #isDisposed = false;
  #idleTimer: Disposable | undefined;

  constructor(options: ClaudeSessionOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.#model = options.model;
    this.#state = options.state;
  }

  async runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult> {
    if (this.#turn !== undefined) throw new Error("A turn of this session is running.");
    const result = await this.#attempt(message, context);
    if (!this.#isConversationGone) return result;
    this.#isConversationGone = false;
    this.#state = EMPTY_STATE;
    await context.emit({
      type: "error",
      code: "AGENT_FAILED",
      message: "Claude has lost its record of this conversation and begins anew.",
    });
    return this.#attempt(message, context);
  }

  async setPermissionMode(mode: string): Promise<void> {
    const found = findPermissionMode(mode, this.#options.modeConditions);
    if (found === undefined) {
      throw new ProtocolError("INVALID_REQUEST", `Claude has no permission mode "${mode}" here.`);
    }
    const before = this.#mode;
    // Set before the runtime reports the change, so that its report is no change any more.
    this.#mode = found;
    try {
      await this.#tell((process) => process.setPermissionMode(found));
    } catch (error: unknown) {
      this.#mode = before;
      throw error;
    }
  }

  async setModel(model: string): Promise<void> {
    await this.#tell((process) => process.setModel(model));
    this.#model = model;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#idleTimer?.[Symbol.dispose]();
    await this.#process?.[Symbol.asyncDispose]();
    await this.#turn?.end({ reason: "stopped" });
    this.#options.onDispose();
  }

  async #attempt(message: TurnMessage, context: TurnContext): Promise<TurnResult> {
    this.#idleTimer?.[Symbol.dispose]();
    const { clock, cwd } = this.#options;
    const turn = new ClaudeTurn({ context, cwd, clock });
    this.#turn = turn;
    const onStop = (): void => void this.#stop(turn);
    context.signal.addEventListener("abort", onStop, { once: true });
    try {
      await this.#begin(turn, message, context);
      const result = await turn.ended;
      return context.signal.aborted ? { reason: "stopped" } : result;
    } finally {
      context.signal.removeEventListener("abort", onStop);
      this.#turn = undefined;
      this.#serving = undefined;
      this.#armIdleTimer();
    }
  }

  async #begin(turn: ClaudeTurn, message: TurnMessage, context: TurnContext): Promise<void> {
    try {
      if (this.#canGoOn(context)) this.#serving = this.#process ?? (await this.#start());
      if (!this.#canGoOn(context)) {
        // Nothing was sent, so there is nothing to wait for; the process may be half started.
        this.#dropProcess();
        await turn.end({ reason: "stopped" });
        return;
      }
      const promptId = toUuid(this.#options.ids.next("msg"));
      this.#promptId = promptId;
      this.#serving?.send({
        type: "user",
        uuid: promptId,
        message: { role: "user", content: message.content },
        parent_tool_use_id: null,
      });
    } catch (error: unknown) {
      this.#dropProcess();
      await turn.end(crashed(error));
    }
  }

  #canGoOn(context: TurnContext): boolean {
    return !context.signal.aborted && !this.#isDisposed;
  }

  async #start(): Promise<ClaudeProcess> {
    const { cwd, loadQuery, openTools, toOptions } = this.#options;
    const query = await loadQuery();
    await using starting = new AsyncDisposableStack();
    const tools = starting.use(await openTools());
    const process: ClaudeProcess = new ClaudeProcess({
      query,
      toOptions: (keepErrorOutput) =>
        toOptions(
          {
            cwd,
            mode: this.#mode === "bypassPermissions" ? ASKING_MODE : this.#mode,
            model: this.#model,
            conversationId: this.#state.conversationId,
            hasGatewayTools: tools !== undefined,
            canUseTool: (toolName, input, about) =>
              this.#decide(process, { toolName, input, about }),
            beforeTool: createProtectionHook(this.#options.judge),
            beforeQuestion: createQuestionHook(
              (ask) => this.#decide(process, ask),
              () => this.#interrupt(),
            ),
            beforeCommand: createDirectoryHook((toolCallId, directory) =>
              this.#turn?.noteDirectory(toolCallId, directory),
            ),
          },
          keepErrorOutput,
        ),
      onMessage: (message) => this.#receive(process, message),
      onEnd: (error) => {
        owned.disposeAsync().catch(() => undefined); // its resources cannot be used any more, closed or not
        this.#lose(process, error);
      },
    });
    const owned = starting.move();
    this.#process = process;
    this.#serving = process;
    if (tools) await this.#connect(process, tools);
    // Set after the start: at a start in this mode the SDK warns, wrongly here, that it will ask about nothing.
    if (this.#mode === "bypassPermissions") await process.setPermissionMode(this.#mode);
    return process;
  }

  /** Over the process's input, because every account of the machine can read its arguments. */
  async #connect(process: ClaudeProcess, tools: ToolServer): Promise<void> {
    const problem = await process.setMcpServers(toMcpServers(tools));
    if (problem !== undefined) {
      await this.#turn?.complain("Claude could not be connected to the gateway's tools", problem);
    }
  }

  async #receive(process: ClaudeProcess, message: SDKMessage): Promise<void> {
    const turn = this.#turn;
    // Between turns the agent does no work, so a message without a turn loses nothing.
    if (turn === undefined || turn.isEnded || this.#serving !== process) return;
    if (message.type === "system") this.#learn(message, turn);
    try {
      if (message.type === "result") await this.#finish(message, turn);
      else await turn.take(message);
    } catch (error: unknown) {
      this.#fail(turn, error);
    }
  }

  /** Remembers the runtime's permission mode and the id of its conversation. */
  #learn(message: Extract<SDKMessage, { type: "system" }>, turn: ClaudeTurn): void {
    if (message.subtype === "status" && message.permissionMode !== undefined) {
      this.#followMode(message.permissionMode, turn);
    }
    if (message.subtype === "init" && message.session_id !== this.#state.conversationId) {
      this.#state = { ...this.#state, conversationId: message.session_id };
      this.#saveState(turn);
    }
  }

  /** The agent goes into planning and out of it by itself, and an approval can change the mode. */
  #followMode(mode: PermissionMode, turn: ClaudeTurn): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    turn.context.permissionModeChanged(mode).catch((error: unknown) => this.#fail(turn, error));
  }

  async #finish(result: SDKResultMessage, turn: ClaudeTurn): Promise<void> {
    const answered = result.user_message_uuids;
    if (answered !== undefined && !answered.includes(this.#promptId ?? "")) return;
    this.#isConversationGone = isConversationGone(result);
    if (this.#isConversationGone) this.#dropProcess();
    await turn.end(toTurnResult(result, turn.complaint), { isByRuntime: true });
  }

  #lose(process: ClaudeProcess, error: Error | undefined): void {
    if (this.#process === process) this.#process = undefined;
    if (this.#serving !== process) return;
    void this.#turn?.end(error === undefined ? { reason: "stopped" } : lost(error));
  }

  async #stop(turn: ClaudeTurn): Promise<void> {
    const ended = new AbortController();
    void turn.ended.then(() => ended.abort());
    this.#interrupt();
    await this.#options.clock.sleep(STOP_GRACE_MS, { signal: ended.signal }).catch(() => undefined); // it ended in time
    if (turn.isEnded) return;
    this.#dropProcess();
    await turn.end({ reason: "stopped" });
  }

  #interrupt(): void {
    this.#process?.interrupt().catch(() => undefined); // the process is gone, or will be
  }

  /** The log does not take the agent's events, so the agent must not continue. */
  #fail(turn: ClaudeTurn, error: unknown): void {
    this.#dropProcess();
    const message = error instanceof Error ? error.message : String(error);
    void turn.end({ reason: "error", code: "AGENT_FAILED", message });
  }

  #dropProcess(): void {
    this.#process?.close();
    this.#process = undefined;
  }

  async #decide(process: ClaudeProcess, ask: ToolAsk): Promise<Decision> {
    const turn = this.#turn;
    if (turn === undefined || turn.isEnded || this.#serving !== process) {
      return deny(`${ask.toolName} was not run: its turn has ended, so no person can be asked.`);
    }
    const { judge, cwd } = this.#options;
    const verdict = await judge({ ...ask, cwd });
    if (verdict?.action === "deny") return deny(verdict.reason);
    const { about } = verdict ? forThisTimeOnly(ask, verdict) : ask;
    const signal = process.cancellationOf(about.signal);
    return turn.decide({ ...ask, about: { ...about, signal } }, this.#mode);
  }

  /** Does something with the running process, if there is one. A failure counts only if the process has not ended. */
  async #tell(action: (process: ClaudeProcess) => Promise<void>): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    try {
      await action(process);
    } catch (error: unknown) {
      if (this.#process === process) throw error;
    }
  }

  #saveState(turn: ClaudeTurn): void {
    turn.context
      .saveState(serializeState(this.#state))
      .catch((error: unknown) => this.#fail(turn, error));
  }

  #armIdleTimer(): void {
    const { clock, idleMs } = this.#options;
    if (this.#process === undefined || this.#isDisposed) return;
    this.#idleTimer = clock.after(idleMs, () => this.#dropProcess());
  }
}

/** No approval of it holds for a later call. */
function forThisTimeOnly(ask: ToolAsk, { reason }: Verdict): ToolAsk {
  const about = { ...ask.about, decisionReason: reason, suppressAlwaysAllowRule: true };
  return { ...ask, about };
}

function crashed(error: unknown): Extract<TurnResult, { reason: "error" }> {
  const message = error instanceof Error ? error.message : String(error);
  return { reason: "error", code: "AGENT_CRASHED", message };
}

function lost(error: Error): TurnResult {
  return { ...crashed(error), isAgentLost: true };
}

/** The runtime wants its ids as UUIDs; this one is as random as the id that it is made from. */
function toUuid(id: string): UUID {
  const hex = createHash("sha256").update(id).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
