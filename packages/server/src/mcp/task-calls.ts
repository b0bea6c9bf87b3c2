import type { ToolCallRequest } from "@holdpoint/engine";
import {
  type CallToolResult,
  inputRequired,
  type InputRequests,
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

/** The name of the extension. */
export const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 5000;

interface TaskBase {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A task as its client sees it. */
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

/** Calls of clients that take tasks: each goes on by itself, and its client asks for it when it likes, also after a restart. */
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

  /** Starts a call; resolves to its result where nobody is asked, else to a task. */
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

  /** How the task stands; the same result as often as it is asked for. Refuses a task of somebody else. */
  async get(taskId: string, caller: PagedCaller, showsPages: boolean): Promise<Task> {
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

  /** Takes back what the task asks. One that is over stays as it is. */
  async cancel(taskId: string, caller: PagedCaller): Promise<void> {
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

  /** Refuses a task of somebody else, and one that is too old. */
  assertKnown(taskId: string, caller: PagedCaller): void {
    this.#open(taskId, caller);
  }

  /** Gives up the tasks of one token. */
  revoke(tokenId: string): void {
    this.#held.revoke(tokenId);
  }

  /** Forgets all of them: the gateway that stops ends them itself. */
  clear(): void {
    this.#held.clear();
  }

  #begin(held: HeldCall, caller: PagedCaller): Task {
    const { toolCallId, asked = "" } = held;
    const taskId = this.#options.states.seal({ toolCallId, asked }, ownerOf(caller));
    return { ...this.#base(taskId, this.#open(taskId, caller)), status: "working" };
  }

  #base(taskId: string, { untilMs }: AskedState): TaskBase {
    const createdAt = new Date(untilMs - LASTS_MS).toISOString();
    const lastUpdatedAt = new Date(this.#options.clock.now()).toISOString();
    return { taskId, createdAt, lastUpdatedAt, ttlMs: LASTS_MS, pollIntervalMs: POLL_MS };
  }

  #open(taskId: string, caller: PagedCaller): AskedState {
    const state = this.#options.states.open(taskId, ownerOf(caller));
    if (!state) throw refused("There is no such task.", "unknown_task");
    return state;
  }

  #isCancelled(state: AskedState): boolean {
    return this.#options.usedStates.has(cancelledId(state));
  }

  /** The call where it runs; a new run of it after a restart; what came of it where it is over. */
  async #find(
    state: AskedState,
    caller: PagedCaller,
  ): Promise<
    | HeldCall
    | { status: "cancelled" }
    | { status: "completed"; result: CallToolResult }
    | { status: "failed"; error: { code: number; message: string } }
  > {
    const { toolCallId } = state;
    const running = this.#held.get(toolCallId);
    if (running) return running;
    const found = await this.#options.tools.find(caller.sessionId, toolCallId);
    const joined = this.#held.get(toolCallId);
    if (joined) return joined;
    // By another request meanwhile: it runs no more.
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
    { tokenId, sessionId }: PagedCaller,
  ): HeldCall {
    return this.#held.start(tokenId, { sessionId, toolCallId, ...called });
  }
}

/** No tool has this name: a task is no `requestState`. */
function ownerOf({ tokenId, sessionId }: PagedCaller): StateOwner {
  return { tokenId, sessionId, name: "", args: "task" };
}

function cancelledId({ toolCallId }: AskedState): string {
  return `${toolCallId}/cancelled`;
}

function complete(result: CallToolResult): CallToolResult {
  return { ...result, resultType: "complete" };
}
