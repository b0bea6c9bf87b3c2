import { isDeepStrictEqual } from "node:util";

import type { ElicitationResult, PermissionMode, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentDelta, AgentEvent, Clock, TurnContext, TurnResult } from "@holdpoint/engine";

import { isAlreadyLogged, stateAfter } from "./already-logged.ts";
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

/** How long a call's permission request waits for the call's message, which was sent earlier. */
const CALL_GRACE_MS = 1000;

const MAX_TASK_LENGTH = 200;

export interface ClaudeTurnOptions {
  readonly context: TurnContext;
  readonly cwd: string;
  readonly clock: Clock;
  /** The agent's events of this turn that the log already has. */
  readonly told?: readonly AgentEvent[];
  /** Tool call ids by the runtime's id of its request. */
  readonly asked?: ReadonlyMap<string, string> | undefined;
}

/** One turn: writes the runtime's messages into the log, and passes the runtime's questions to a person. */
export class ClaudeTurn {
  readonly #options: ClaudeTurnOptions;
  readonly #ended = Promise.withResolvers<TurnResult>();
  readonly #handovers = new Handovers();
  /** Requests that wait for the message of their call. */
  readonly #callWaits = new Set<AbortController>();
  /** The working directory of each command, by `callKey`. */
  readonly #directories = new Map<string, string>();
  /** Inputs edited by a person, by `callKey`. */
  readonly #edits = new Map<string, Readonly<Record<string, unknown>>>();
  /** Decisions in progress, by the runtime's id of its request. */
  readonly #deciding = new Map<string, Promise<Decision>>();
  readonly #begun = new AbortController();
  /** The task of each sub-agent, by the tool call that started it. */
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

  /** Aborts once the agent has sent a message or a request, or the turn has ended. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** The first result given to `end`. Never rejects. */
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

  /** When the account's limit ends, if it was reached in this turn. */
  get limitEndsAt(): string | undefined {
    return this.#state.limitEndsAt;
  }

  /**
   * Resolves once the message's events are durable, with the calls that have continued according to the message.
   * Rejects if the log does not take the events.
   */
  async take(message: SDKMessage): Promise<readonly string[]> {
    if (message.type !== "system") this.#begun.abort();
    else if (message.subtype === "elicitation_complete") {
      this.#elicitations.complete(message.mcp_server_name, message.elicitation_id);
    }
    const receipts = findReceipts(this.#state.calls, message);
    for (const toolCallId of receipts) this.#handovers.deliver(toolCallId);
    this.#takeRetry(message);
    if (!isAlreadyLogged(message, this.#options.told ?? [])) {
      await this.#put(mapMessage(this.#state, message));
    }
    return receipts;
  }

  /**
   * Ends the turn; only the first call counts. An unfinished text is kept up to where it was cut off. `isByRuntime`:
   * the runtime reported the end, so it has every answer that it was given.
   */
  async end(result: TurnResult, { isByRuntime = false } = {}): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#begun.abort();
    const put =
      result.reason === "done"
        ? this.#put(settleComplaint(this.#state))
        : this.#put(closeOpenBlocks(this.#state));
    await put.catch(() => undefined); // the log is gone; the result still tells how the turn ended
    // The record of a lost agent may show which answers it got.
    const isLost = result.reason === "error" && result.isAgentLost === true;
    if (!isLost) await this.#handovers.end(isByRuntime);
    this.#ended.resolve(result);
  }

  /** Logs a failure that does not end the turn. */
  async complain(what: string, cause: unknown): Promise<void> {
    if (this.#isEnded) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${what}: ${reason}`;
    await this.#options.context.emit({ type: "error", code: "AGENT_FAILED", message });
  }

  /** Sets a command's directory. Must come before the decision; without it, the session's directory is assumed. */
  noteDirectory(call: CalledBy, directory: string): void {
    this.#directories.set(callKey(call.runtimeId, call.agentId), directory);
  }

  /** The input of this call as edited by a person. Each edit is returned once, after the call has run. */
  takeEdit({ runtimeId, agentId }: CalledBy): Readonly<Record<string, unknown>> | undefined {
    const key = callKey(runtimeId, agentId);
    const edit = this.#edits.get(key);
    this.#edits.delete(key);
    return edit;
  }

  /** Whether another call than this one has no result yet. */
  hasOtherOpenCalls(toolCallId: string): boolean {
    return this.#state.calls.open.some((call) => call.toolCallId !== toolCallId);
  }

  /**
   * Decides one request of the runtime by asking a person; the call itself is logged first. A decision is never reused
   * for a later request. Never rejects.
   */
  decide(ask: ToolAsk, mode: PermissionMode): Promise<Decision> {
    this.#begun.abort();
    const { requestId } = ask.about;
    if (requestId === undefined) return this.#decide(ask, mode);
    // A host can repeat an open request to a gateway that already has it.
    const before = this.#deciding.get(requestId);
    if (before) return before;
    const made = this.#decide(ask, mode).finally(() => this.#deciding.delete(requestId));
    this.#deciding.set(requestId, made);
    return made;
  }

  /** Passes an MCP server's request during one of its calls to a person. Never rejects. */
  elicit(asked: Elicitation): Promise<ElicitationResult> {
    this.#begun.abort();
    return this.#elicitations.ask(asked);
  }

  async #findEliciting(name: string, signal: AbortSignal): Promise<ElicitingCall | undefined> {
    const either = AbortSignal.any([signal, this.#options.context.signal]);
    const [call, ...others] = await this.#called.ofServer(name, either);
    if (call === undefined) return undefined;
    const { toolCallId, toolName, parentToolCallId: parent } = call;
    // The call is running, so its approval has arrived. With several calls it is unknown which of them asks.
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
    // The runtime may repeat a request that it has cancelled.
    this.#setRequest(toolCallId, signal.aborted ? "none" : "decided");
    return decision;
  }

  /**
   * Resolves to the call that the runtime asks about. The runtime's callbacks overtake its messages by a moment. If the
   * call's message does not come at all, the call is logged from the callback's data.
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
    // For a repeated request, or a call whose message never arrived.
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
      await clock.sleep(leftMs, { signal }).catch(() => undefined); // woken, or stopped
      this.#callWaits.delete(seen);
      const found = this.#findAsked(about);
      if (found !== undefined) return found;
    }
  }

  /**
   * Reports whether the runtime is retrying a failed request. It sends only `api_retry` messages until the model
   * answers.
   */
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

/**
 * A person's edit of the input. Answers and plan changes do not count: the runtime reports them to the model itself.
 */
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
