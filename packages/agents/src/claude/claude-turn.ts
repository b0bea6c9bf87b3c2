import type { ElicitationResult, PermissionMode, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentDelta, AgentEvent, Clock, TurnContext, TurnResult } from "@holdpoint/engine";

import { CalledTools } from "./called-tools.ts";
import { decideToolUse } from "./can-use-tool.ts";
import { deny } from "./denials.ts";
import { Elicitations, type Elicitation, type ElicitingCall } from "./elicitation.ts";
import { Handovers } from "./handovers.ts";
import { type Complaint, type Mapped, type MapperState } from "./mapper-state.ts";
import { mapMessage, mapToolCall, settleComplaint } from "./messages.ts";
import { closeOpenBlocks } from "./stream-events.ts";
import { isToldBefore, stateAfter } from "./told-before.ts";
import type { Decision, ToolAsk } from "./tool-ask.ts";

/** How long a call that wants a decision waits for its own message, which was sent before it. */
const CALL_GRACE_MS = 1000;

/** The tools that start a sub-agent. */
const STARTS_AGENT: ReadonlySet<string> = new Set(["Agent", "Task"]);
const MAX_TASK_LENGTH = 200;

export interface ClaudeTurnOptions {
  readonly context: TurnContext;
  readonly cwd: string;
  readonly clock: Clock;
  /** What the log has already of what the agent does here. */
  readonly told?: readonly AgentEvent[];
}

/** One turn: writes the runtime's messages into the log, and asks a person what the runtime asks. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #ended = Promise.withResolvers<TurnResult>();
  readonly #handovers = new Handovers();
  readonly #callSeen = new Map<string, () => void>();
  /** Where each command would run. */
  readonly #directories = new Map<string, string>();
  /** By tool call: what was asked about it, and what comes of it. */
  readonly #decisions = new Map<
    string,
    { readonly input: string; readonly made: Promise<Decision> }
  >();
  readonly #begun = new AbortController();
  /** By the tool call that started a sub-agent: what it is to do. */
  readonly #tasks = new Map<string, string>();
  #isRetrying = false;
  readonly #called: CalledTools;
  readonly #elicitations: Elicitations;
  #state: MapperState;
  #isEnded = false;

  constructor(options: ClaudeTurnOptions) {
    this.#options = options;
    this.#state = stateAfter(options.told ?? []);
    this.#called = new CalledTools(options.clock);
    for (const event of options.told ?? []) this.#note(event);
    this.#elicitations = new Elicitations({
      findCall: (serverName, signal) => this.#findEliciting(serverName, signal),
      hold: (request, holding) => options.context.hold(request, holding),
      handingOver: (toolCallId, delivered) => this.#handovers.add(toolCallId, delivered),
      tellDeclined: (message) =>
        options.context.emit({ type: "error", code: "SERVER_REQUEST_DECLINED", message }),
    });
  }

  /** Aborts once the agent has said or asked something, or the turn has ended. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Resolves, never rejects, with what `end` was given first. */
  get ended(): Promise<TurnResult> {
    return this.#ended.promise;
  }

  get context(): TurnContext {
    return this.#options.context;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get complaint(): Complaint | undefined {
    return this.#state.complaint;
  }

  /** When the limit ends that the account has reached in this turn. */
  get limitEndsAt(): string | undefined {
    return this.#state.limitEndsAt;
  }

  /** Resolves once everything that the message means is durable. Rejects if the log does not take it. */
  async take(message: SDKMessage): Promise<void> {
    if (message.type !== "system") this.#begun.abort();
    else if (message.subtype === "elicitation_complete") {
      this.#elicitations.complete(message.mcp_server_name, message.elicitation_id);
    }
    this.#handovers.takeReceipts(message);
    this.#takeRetry(message);
    if (isToldBefore(message, this.#options.told ?? [])) return;
    await this.#put(mapMessage(this.#state, message));
  }

  /**
   * Ends the turn; only the first call counts. An unfinished text is kept as far as it has come. `isByRuntime`: the runtime
   * said that the turn has ended, so it has every answer that it was given.
   */
  async end(result: TurnResult, { isByRuntime = false } = {}): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#begun.abort();
    const put =
      result.reason === "done"
        ? this.#put(settleComplaint(this.#state))
        : this.#put(closeOpenBlocks(this.#state));
    await put.catch(() => undefined); // the log is gone; the result still says how the turn ended
    await this.#handovers.end(isByRuntime);
    this.#ended.resolve(result);
  }

  /** Puts a failure into the log that does not end the turn. */
  async complain(what: string, cause: unknown): Promise<void> {
    if (this.#isEnded) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${what}: ${reason}`;
    await this.#options.context.emit({ type: "error", code: "AGENT_FAILED", message });
  }

  /** To be told before a command is decided about; without it, the command runs in the session's directory. */
  noteDirectory(toolCallId: string, directory: string): void {
    this.#directories.set(toolCallId, directory);
  }

  /** Whether any call but this one has no result yet. */
  hasOtherOpenCalls(toolCallId: string): boolean {
    const { toolCalls, toolResults } = this.#state;
    return [...toolCalls].some((id) => id !== toolCallId && !toolResults.has(id));
  }

  /**
   * Decides about a tool call by asking a person; the call itself is in the log before. A call that is asked about again,
   * as a resumed one may be, gets the same decision. Never rejects.
   */
  decide(ask: ToolAsk, mode: PermissionMode): Promise<Decision> {
    this.#begun.abort();
    const { toolUseID, signal } = ask.about;
    const input = JSON.stringify(ask.input);
    const before = this.#decisions.get(toolUseID);
    if (before?.input === input) return before.made;
    const made = this.#decide(ask, mode);
    this.#decisions.set(toolUseID, { input, made });
    signal.addEventListener("abort", () => this.#decisions.delete(toolUseID), { once: true });
    return made;
  }

  /** Asks a person what an MCP server wants to know during one of its calls. Never rejects. */
  elicit(asked: Elicitation): Promise<ElicitationResult> {
    this.#begun.abort();
    return this.#elicitations.ask(asked);
  }

  async #findEliciting(name: string, signal: AbortSignal): Promise<ElicitingCall | undefined> {
    const either = AbortSignal.any([signal, this.#options.context.signal]);
    const [call, ...others] = await this.#called.ofServer(name, either);
    if (call === undefined) return undefined;
    const { toolCallId, toolName, parentToolCallId: parent } = call;
    // It runs, so it was allowed. With several calls nobody knows which of them asks.
    if (others.length === 0) this.#handovers.deliver(toolCallId);
    const agentTask = parent === undefined ? undefined : this.#tasks.get(parent);
    return { toolCallId, toolName, agentTask };
  }

  async #decide(ask: ToolAsk, mode: PermissionMode): Promise<Decision> {
    const { context, cwd } = this.#options;
    try {
      await this.#untilCallIsTold(ask);
    } catch {
      return deny(
        `${ask.toolName} was not run: the turn was stopped, or its log cannot be written.`,
      );
    }
    return decideToolUse(ask, {
      cwd: this.#directories.get(ask.about.toolUseID) ?? cwd,
      mode,
      hold: (request, options) =>
        context.hold({ ...request, ...this.#taskOf(ask.about.agentID) }, options),
      handingOver: (delivered) => this.#handovers.add(ask.about.toolUseID, delivered),
    });
  }

  /**
   * The runtime's callbacks overtake its messages by a moment. If the message does not come at all, the call is
   * told from what the callback knows.
   */
  async #untilCallIsTold({ toolName, input, about }: ToolAsk): Promise<void> {
    const { toolUseID: toolCallId, agentID } = about;
    if (this.#state.toolCalls.has(toolCallId)) return;
    const { clock, context } = this.#options;
    const seen = new AbortController();
    this.#callSeen.set(toolCallId, () => seen.abort());
    const signal = AbortSignal.any([seen.signal, about.signal, context.signal]);
    await clock.sleep(CALL_GRACE_MS, { signal }).catch(() => undefined); // seen, or stopped
    this.#callSeen.delete(toolCallId);
    about.signal.throwIfAborted();
    context.signal.throwIfAborted();
    const parent = agentID === undefined ? undefined : this.#state.agentCalls.get(agentID);
    await this.#put(
      mapToolCall(this.#state, {
        toolCallId,
        toolName,
        input,
        ...(parent !== undefined && { parentToolCallId: parent }),
      }),
    );
  }

  /** The runtime tells of each request that failed and is sent again, and of nothing else until the model has answered. */
  #takeRetry(message: SDKMessage): void {
    if (message.type === "system" && message.subtype !== "api_retry") return;
    const isRetrying = message.type === "system";
    if (isRetrying !== this.#isRetrying) this.#options.context.retrying(isRetrying);
    this.#isRetrying = isRetrying;
  }

  #note(item: AgentEvent | AgentDelta): void {
    this.#called.note(item);
    if (item.type !== "tool_call" || !STARTS_AGENT.has(item.toolName)) return;
    const { description } = item.input;
    if (typeof description !== "string" || description.trim() === "") return;
    this.#tasks.set(item.toolCallId, description.slice(0, MAX_TASK_LENGTH));
  }

  #taskOf(agentId: string | undefined): { agentTask?: string } {
    const call = agentId === undefined ? undefined : this.#state.agentCalls.get(agentId);
    const agentTask = call === undefined ? undefined : this.#tasks.get(call);
    return agentTask === undefined ? {} : { agentTask };
  }

  async #put({ state, output }: Mapped): Promise<void> {
    this.#state = state;
    const durable: Promise<void>[] = [];
    for (const item of output) {
      if (isDelta(item)) {
        this.#options.context.delta(item);
      } else {
        durable.push(this.#options.context.emit(item));
        this.#note(item);
        if (item.type === "tool_call") this.#callSeen.get(item.toolCallId)?.();
      }
    }
    await Promise.all(durable);
  }
}

function isDelta(item: AgentEvent | AgentDelta): item is AgentDelta {
  return item.type === "text_delta" || item.type === "tool_call_delta";
}
