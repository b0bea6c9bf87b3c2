import { isDeepStrictEqual } from "node:util";

import type { ElicitationResult, PermissionMode, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentDelta, AgentEvent, Clock, TurnContext, TurnResult } from "@holdpoint/engine";

import { CalledTools } from "./called-tools.ts";
import { decideToolUse } from "./can-use-tool.ts";
import { QUESTION_TOOL } from "./decide-question.ts";
import { deny } from "./denials.ts";
import type { CalledBy } from "./directory-hook.ts";
import { Elicitations, type Elicitation, type ElicitingCall } from "./elicitation.ts";
import { findReceipts, Handovers } from "./handovers.ts";
import { type Complaint, type Mapped, type MapperState } from "./mapper-state.ts";
import { mapAskedCall, mapMessage, settleComplaint } from "./messages.ts";
import { closeOpenBlocks } from "./stream-events.ts";
import { isToldBefore, stateAfter } from "./told-before.ts";
import type { Decision, ToolAsk, ToolAskFacts } from "./tool-ask.ts";
import {
  agentCallOf,
  askAbout,
  findCall,
  STARTS_AGENT,
  withRequest,
  type CallName,
  type TurnCall,
} from "./turn-calls.ts";
import { PLAN_TOOL } from "./wider-scopes.ts";

/** How long a call that wants a decision waits for its own message, which was sent before it. */
const CALL_GRACE_MS = 1000;

const MAX_TASK_LENGTH = 200;

export interface ClaudeTurnOptions {
  readonly context: TurnContext;
  readonly cwd: string;
  readonly clock: Clock;
  /** What the log has already of what the agent does here. */
  readonly told?: readonly AgentEvent[];
  /** By the runtime's id of a request: the call that it is about. */
  readonly asked?: ReadonlyMap<string, string> | undefined;
}

/** One turn: writes the runtime's messages into the log, and asks a person what the runtime asks. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #ended = Promise.withResolvers<TurnResult>();
  readonly #handovers = new Handovers();
  /** Requests that wait for the message of their call. */
  readonly #callWaits = new Set<AbortController>();
  /** Where each command would run, by its agent and the runtime's id. */
  readonly #directories = new Map<string, string>();
  /** By the agent and the runtime's id of a call: what a person has made of its input. */
  readonly #edits = new Map<string, Readonly<Record<string, unknown>>>();
  /** By the runtime's own id of its request: the decisions that are being made. */
  readonly #deciding = new Map<string, Promise<Decision>>();
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
    this.#state = stateAfter(options.told ?? [], options.asked);
    this.#called = new CalledTools(options.clock);
    for (const event of options.told ?? []) this.#note(event);
    this.#elicitations = new Elicitations({
      findCall: (serverName, signal) => this.#findEliciting(serverName, signal),
      hold: (request, holding) => options.context.hold(request, holding),
      handingOver: (toolCallId, delivered) => this.#handovers.add(toolCallId, delivered),
      tellNotAsked: (message) =>
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

  /**
   * Resolves once everything that the message means is durable, to the calls that have gone on. Rejects if the log does not
   * take it.
   */
  async take(message: SDKMessage): Promise<readonly string[]> {
    if (message.type !== "system") this.#begun.abort();
    else if (message.subtype === "elicitation_complete") {
      this.#elicitations.complete(message.mcp_server_name, message.elicitation_id);
    }
    const receipts = findReceipts(this.#state.calls, message);
    for (const toolCallId of receipts) this.#handovers.deliver(toolCallId);
    this.#takeRetry(message);
    if (!isToldBefore(message, this.#options.told ?? [])) {
      await this.#put(mapMessage(this.#state, message));
    }
    return receipts;
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
  noteDirectory(call: CalledBy, directory: string): void {
    this.#directories.set(callKey(call.runtimeId, call.agentId), directory);
  }

  /** What a person has made of the input of this call, which has run. Each edit is returned once. */
  takeEdit({ runtimeId, agentId }: CalledBy): Readonly<Record<string, unknown>> | undefined {
    const key = callKey(runtimeId, agentId);
    const edit = this.#edits.get(key);
    this.#edits.delete(key);
    return edit;
  }

  /** Whether any call but this one has no result yet. */
  hasOtherOpenCalls(toolCallId: string): boolean {
    return this.#state.calls.open.some((call) => call.toolCallId !== toolCallId);
  }

  /**
   * Decides about one request of the runtime by asking a person; the call itself is in the log before. A decision is never
   * kept for a later request, whatever that request is about. Never rejects.
   */
  decide(ask: ToolAsk, mode: PermissionMode): Promise<Decision> {
    this.#begun.abort();
    const { requestId } = ask.about;
    if (requestId === undefined) return this.#decide(ask, mode);
    // A host can repeat a request that is open to a gateway that has it already.
    const before = this.#deciding.get(requestId);
    if (before) return before;
    const made = this.#decide(ask, mode).finally(() => this.#deciding.delete(requestId));
    this.#deciding.set(requestId, made);
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
    const { toolUseID: runtimeId, agentID, signal, requestId } = ask.about;
    let toolCallId: string;
    try {
      toolCallId = await this.#untilCallIsTold(ask);
    } catch {
      return deny(
        `${ask.toolName} was not run: the turn was stopped, or its log cannot be written.`,
      );
    }
    const about = { ...ask.about, toolUseID: toolCallId };
    const decision = await decideToolUse(
      { ...ask, about },
      {
        cwd: this.#directories.get(callKey(runtimeId, agentID)) ?? cwd,
        mode,
        hold: (request, options) =>
          context.hold(
            {
              ...request,
              ...(requestId !== undefined && { requestId }),
              ...this.#taskOf(agentID),
            },
            options,
          ),
        handingOver: (delivered) => this.#handovers.add(toolCallId, delivered),
      },
    );
    const edit = toEdit(ask, decision);
    if (edit) this.#edits.set(callKey(runtimeId, agentID), edit);
    // What the runtime has taken back it may ask again.
    this.#setRequest(toolCallId, signal.aborted ? "none" : "decided");
    return decision;
  }

  /**
   * Resolves to the call that the runtime asks about. Its callbacks overtake its messages by a moment. If the message does
   * not come at all, the call is told from what the callback knows.
   */
  async #untilCallIsTold({ toolName, input, about }: ToolAsk): Promise<string> {
    const before = this.#options.asked?.get(about.requestId ?? "");
    if (before !== undefined) {
      this.#setRequest(before, "open");
      return before;
    }
    const asked = this.#findAsked(about) ?? (await this.#waitForCall(about));
    about.signal.throwIfAborted();
    this.#options.context.signal.throwIfAborted();
    const name = this.#nameOf(about);
    // A call that it asks about once more, or one whose message does not come.
    const known = asked ?? findCall(this.#state.calls, name)?.toolCallId;
    if (known !== undefined) return known;
    const mapped = mapAskedCall(this.#state, { ...name, toolName, input });
    await this.#put(mapped);
    return mapped.toolCallId;
  }

  #setRequest(toolCallId: string, request: TurnCall["request"]): void {
    this.#state = {
      ...this.#state,
      calls: withRequest(this.#state.calls, toolCallId, request),
    };
  }

  #nameOf({
    toolUseID: runtimeId,
    agentID,
  }: {
    readonly toolUseID: string;
    readonly agentID?: string | undefined;
  }): CallName {
    return { runtimeId, parent: agentID === undefined ? "" : this.#state.agentCalls.get(agentID) };
  }

  #findAsked(about: ToolAskFacts): string | undefined {
    const found = askAbout(this.#state.calls, this.#nameOf(about));
    if (found) this.#state = { ...this.#state, calls: found.calls };
    return found?.toolCallId;
  }

  async #waitForCall(about: ToolAskFacts): Promise<string | undefined> {
    const { clock, context } = this.#options;
    const graceEnd = clock.monotonic() + CALL_GRACE_MS;
    for (;;) {
      const leftMs = graceEnd - clock.monotonic();
      if (leftMs <= 0 || about.signal.aborted || context.signal.aborted) return undefined;
      const seen = new AbortController();
      this.#callWaits.add(seen);
      const signal = AbortSignal.any([seen.signal, about.signal, context.signal]);
      await clock.sleep(leftMs, { signal }).catch(() => undefined); // seen, or stopped
      this.#callWaits.delete(seen);
      const found = this.#findAsked(about);
      if (found !== undefined) return found;
    }
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
    if (item.type !== "tool_call") return;
    for (const wait of this.#callWaits) wait.abort();
    if (!STARTS_AGENT.has(item.toolName)) return;
    const { description } = item.input;
    if (typeof description !== "string" || description.trim() === "") return;
    this.#tasks.set(item.toolCallId, description.slice(0, MAX_TASK_LENGTH));
  }

  #taskOf(agentId: string | undefined): { agentTask?: string } {
    const call = agentId === undefined ? undefined : this.#state.agentCalls.get(agentId);
    const agentTask =
      call === undefined ? undefined : this.#tasks.get(agentCallOf(this.#state.calls, call));
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
      }
    }
    await Promise.all(durable);
  }
}

/** The runtime itself tells the model of answers and of a changed plan. */
function toEdit(
  { toolName, input }: ToolAsk,
  decision: Decision,
): Record<string, unknown> | undefined {
  if (decision.behavior !== "allow" || toolName === QUESTION_TOOL || toolName === PLAN_TOOL) {
    return undefined;
  }
  const { updatedInput } = decision;
  return isDeepStrictEqual(updatedInput, input) ? undefined : updatedInput;
}

function callKey(runtimeId: string, agentId: string | undefined): string {
  return JSON.stringify([agentId ?? null, runtimeId]);
}

function isDelta(item: AgentEvent | AgentDelta): item is AgentDelta {
  return item.type === "text_delta" || item.type === "tool_call_delta";
}
