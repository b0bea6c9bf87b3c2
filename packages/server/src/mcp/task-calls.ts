import type { ToolCallRequest } from "@holdpoint/engine";
import {
  type CallToolResult,
  inputRequired,
  type InputRequests,
  ProtocolError as McpError,
} from "@modelcontextprotocol/server";

import { describeError } from "../http/request-log.ts";
import type { Calling, CallParams } from "./agent-tools.ts";
import { type AskedState, LASTS_MS, type StateOwner } from "./asked-states.ts";
import { toCallToolResult } from "./call-tool.ts";
import { HeldCall } from "./held-call.ts";
import { HeldCalls } from "./held-calls.ts";
import type { McpOptions } from "./mcp-options.ts";
import { PAGE_MESSAGE } from "./page-message.ts";
import { type PagedCaller, refused } from "./paged-calls.ts";

/** The protocol extension's name. */
export const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 5000;

/** The owner of tasks. */
export type TaskCaller = Pick<PagedCaller, "sessionId" | "tokenId" | "tools">;

interface TaskBase {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A task in the form for clients. */
export type Task = TaskBase &
  (
    | { readonly status: "cancelled" | "working" }
    | { readonly status: "input_required"; readonly inputRequests: InputRequests }
    | { readonly status: "completed"; readonly result: CallToolResult }
    | {
        readonly status: "failed";
        readonly error: { readonly code: number; readonly message: string };
      }
  );

/** The outcome of a call that is not running here. */
type Ended =
  | { readonly status: "cancelled" }
  | { readonly status: "completed"; readonly result: CallToolResult }
  | {
      readonly status: "failed";
      readonly error: { readonly code: number; readonly message: string };
    };

/**
 * Calls of clients that support tasks: each continues in the background, and its client polls for it, also after a
 * restart.
 */
export class TaskCalls {
  readonly #options: McpOptions;
  readonly #held: HeldCalls;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#held = new HeldCalls(options);
  }

  isFull(tokenId: string): boolean {
    return this.#held.isFull(tokenId);
  }

  /** Starts a call. Resolves to its result if no one is asked, otherwise to a task. */
  async start(
    params: CallParams,
    caller: PagedCaller,
    { signal, traceparent }: Pick<Calling, "signal" | "traceparent">,
  ): Promise<{ readonly task?: Task; readonly result?: CallToolResult }> {
    const { tools } = caller;
    try {
      await tools.takeMessage();
      const { name, arguments: args = {} } = params;
      const held = this.#hold(await tools.callIdFor(params), { name, args, traceparent }, caller);
      const { clock } = this.#options;
      const end = await held.attend({ clock, signal, limitMs: undefined });
      if (end.kind === "asked") return { task: this.#begin(held, caller) };
      if (!this.#held.isStopping) this.#held.drop(held);
      if (end.kind === "failed") throw end.error;
      const isOver = end.kind === "result";
      return {
        result: isOver
          ? tools.withMessages(toCallToolResult(end.result))
          : { content: [], isError: true },
      };
    } catch (error: unknown) {
      throw tools.toMcpError(error);
    }
  }

  /** Starts a call that is always a task. Rejects when the token has as many running as allowed. */
  async begin(
    params: CallParams,
    caller: TaskCaller,
    { traceparent }: Pick<Calling, "traceparent">,
  ): Promise<Task> {
    const { tools, tokenId } = caller;
    try {
      tools.mayAsk(params.name);
      if (this.isFull(tokenId)) {
        throw refused("Too many calls of this token run.", "too_many_tasks");
      }
      await tools.takeMessage();
      const { name, arguments: args = {} } = params;
      const called = { name, args, traceparent };
      return this.#begin(this.#hold(await tools.callIdFor(params), called, caller), caller);
    } catch (error: unknown) {
      throw tools.toMcpError(error);
    }
  }

  /** Waits until the task is over. Rejects with its error, and when `signal` aborts. */
  async result(taskId: string, caller: TaskCaller, signal: AbortSignal): Promise<CallToolResult> {
    const state = this.#open(taskId, caller);
    const { tools } = caller;
    const held = this.#isCancelled(state) ? undefined : await this.#find(state, caller);
    if (held instanceof HeldCall) await whenOver(held, signal);
    if (!held || this.#isCancelled(state)) throw cancelled();
    if (!(held instanceof HeldCall)) return resultOf(held);
    const { outcome } = held;
    if (outcome?.kind === "result") {
      return tools.withMessages(complete(toCallToolResult(outcome.result)));
    }
    // A stopping gateway ends the call with an error, which is not the task's result.
    throw tools.toMcpError(outcome?.kind === "failed" ? outcome.error : undefined);
  }

  /** Returns the task's state. A result can be fetched any number of times. Rejects for a task of another caller. */
  async get(taskId: string, caller: TaskCaller, showsPages: boolean): Promise<Task> {
    const state = this.#open(taskId, caller);
    const base = this.#base(taskId, state);
    if (this.#isCancelled(state)) return { ...base, status: "cancelled" };
    const held = await this.#find(state, caller);
    if (!(held instanceof HeldCall)) return { ...base, ...held };
    if (held.outcome?.kind === "result") {
      return {
        ...base,
        status: "completed",
        result: complete(toCallToolResult(held.outcome.result)),
      };
    }
    if (held.outcome?.kind === "failed") {
      const { code, message } = caller.tools.toMcpError(held.outcome.error);
      return { ...base, status: "failed", error: { code, message } };
    }
    if (!showsPages || held.asked === undefined) return { ...base, status: "working" };
    const url = this.#options.toCardUrl(held.asked);
    const page = inputRequired.elicitUrl({ message: PAGE_MESSAGE, url });
    return { ...base, status: "input_required", inputRequests: { [held.asked]: page } };
  }

  /** Cancels the task and withdraws its request. A finished task stays unchanged. */
  async cancel(taskId: string, caller: TaskCaller): Promise<void> {
    const state = this.#open(taskId, caller);
    if (this.#isCancelled(state)) return;
    const held = await this.#find(state, caller);
    if (!(held instanceof HeldCall) || held.outcome) return;
    this.#held.drop(held);
    const { usedStates, log } = this.#options;
    await usedStates.add(cancelledId(state), state.untilMs).catch((error: unknown) => {
      log.error(describeError(error), "that a task was cancelled was not noted");
    });
  }

  /** Throws for a task that is expired or belongs to another caller. */
  assertKnown(taskId: string, caller: TaskCaller): void {
    this.#open(taskId, caller);
  }

  /** Abandons the tasks of one token. */
  revoke(tokenId: string): void {
    this.#held.revoke(tokenId);
  }

  /** Forgets all tasks: a stopping gateway ends them itself. */
  clear(): void {
    this.#held.clear();
  }

  #begin(held: HeldCall, caller: TaskCaller): Task {
    const { toolCallId, asked = "" } = held;
    const taskId = this.#options.states.seal({ toolCallId, asked }, ownerOf(caller));
    return { ...this.#base(taskId, this.#open(taskId, caller)), status: "working" };
  }

  #base(taskId: string, { untilMs }: AskedState): TaskBase {
    const createdAt = new Date(untilMs - LASTS_MS).toISOString();
    const lastUpdatedAt = new Date(this.#options.clock.now()).toISOString();
    return { taskId, createdAt, lastUpdatedAt, ttlMs: LASTS_MS, pollIntervalMs: POLL_MS };
  }

  #open(taskId: string, caller: TaskCaller): AskedState {
    const state = this.#options.states.open(taskId, ownerOf(caller));
    if (!state) throw refused("There is no such task.", "unknown_task");
    return state;
  }

  #isCancelled(state: AskedState): boolean {
    return this.#options.usedStates.has(cancelledId(state));
  }

  /** Returns the running call, a new run of it after a restart, or the outcome of a finished one. */
  async #find(state: AskedState, caller: TaskCaller): Promise<HeldCall | Ended> {
    const { toolCallId } = state;
    const running = this.#held.get(toolCallId);
    if (running) return running;
    const found = await this.#options.tools.find(caller.sessionId, toolCallId);
    const joined = this.#held.get(toolCallId);
    if (joined) return joined;
    // Cancelled by another request in the meantime, so it no longer runs.
    if (this.#isCancelled(state)) return { status: "cancelled" };
    if (found?.isOver && found.result) {
      return { status: "completed", result: complete(toCallToolResult(found.result)) };
    }
    if (!found?.called || found.isOver) {
      return {
        status: "failed",
        error: { code: -32603, message: "The result of the call is lost." },
      };
    }
    const held = this.#hold(toolCallId, found.called, caller);
    held.asked = found.asked;
    return held;
  }

  #hold(
    toolCallId: string,
    called: Pick<ToolCallRequest, "args" | "name" | "traceparent">,
    { tokenId, sessionId }: TaskCaller,
  ): HeldCall {
    return this.#held.start(tokenId, { sessionId, toolCallId, ...called });
  }
}

function cancelled(): McpError {
  return refused("The task was cancelled.", "cancelled_task");
}

function resultOf(ended: Ended): CallToolResult {
  switch (ended.status) {
    case "completed":
      return ended.result;
    case "failed":
      throw new McpError(ended.error.code, ended.error.message);
    case "cancelled":
      throw cancelled();
  }
}

/** Rejects when `signal` aborts first. */
async function whenOver(held: HeldCall, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<never>();
  const leave = (): void => gone.reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  await Promise.race([held.over, gone.promise]).finally(() =>
    signal.removeEventListener("abort", leave),
  );
}

/** The owner of task ids. No tool has an empty name, so a task id is never valid as a `requestState`. */
function ownerOf({ tokenId, sessionId }: TaskCaller): StateOwner {
  return { tokenId, sessionId, name: "", args: "task" };
}

function cancelledId({ toolCallId }: AskedState): string {
  return `${toolCallId}/cancelled`;
}

function complete(result: CallToolResult): CallToolResult {
  return { ...result, resultType: "complete" };
}
