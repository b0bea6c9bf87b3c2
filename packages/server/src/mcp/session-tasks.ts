import type { CallToolResult, Server, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { Calling, CallParams } from "./agent-tools.ts";
import { refused } from "./paged-calls.ts";
import type { Task, TaskCaller, TaskCalls } from "./task-calls.ts";

/** The task support offered to clients of 2025-11-25. */
export const TASK_CAPABILITIES = { cancel: {}, requests: { tools: { call: {} } } };
const RELATED_TASK = "io.modelcontextprotocol/related-task";
const WAITING = "Waiting for a person";

/** The tasks of 2025-11-25: a client requests one with its call, and always gets it. */
export class SessionTasks {
  readonly #tasks: TaskCalls;
  readonly #caller: TaskCaller;

  constructor(tasks: TaskCalls, caller: TaskCaller) {
    this.#tasks = tasks;
    this.#caller = caller;
  }

  /** Marks a tool as callable as a task. */
  offer(tool: Tool): Tool {
    return { ...tool, execution: { taskSupport: "optional" } };
  }

  /** True if the call requests a task. */
  isWanted({ task }: CallParams & { readonly task?: unknown }): boolean {
    return task !== undefined;
  }

  async begin(params: CallParams, calling: Pick<Calling, "traceparent">): Promise<CallToolResult> {
    const task = await this.#tasks.begin(params, this.#caller, calling);
    // The SDK requires `content` in the result of a call.
    return { content: [], task: toShown(task) };
  }

  serve(server: Server): void {
    const byId = { params: z.object({ taskId: z.string() }) };
    const get = (taskId: string): Promise<Task> => this.#tasks.get(taskId, this.#caller, false);
    server.setRequestHandler("tasks/get", byId, async ({ taskId }) => ({
      ...toShown(await get(taskId)),
    }));
    server.setRequestHandler("tasks/result", byId, async ({ taskId }, { mcpReq }) => {
      const { _meta: meta, ...result } = await this.#tasks.result(
        taskId,
        this.#caller,
        mcpReq.signal,
      );
      return { ...result, _meta: { ...meta, [RELATED_TASK]: { taskId } } };
    });
    server.setRequestHandler("tasks/cancel", byId, async ({ taskId }) => {
      const { status } = await get(taskId);
      if (status !== "working") throw refused(`The task is ${status}.`, "task_is_over");
      await this.#tasks.cancel(taskId, this.#caller);
      return { ...toShown(await get(taskId)) };
    });
  }
}

/** Converts a task to the form of 2025-11-25, in which a tool error is a failed task. */
function toShown(task: Task): object {
  const { taskId, createdAt, lastUpdatedAt, ttlMs: ttl, pollIntervalMs: pollInterval } = task;
  const hasFailed = task.status === "completed" && task.result.isError === true;
  return {
    taskId,
    status: hasFailed ? "failed" : task.status,
    ...(task.status === "working" && { statusMessage: WAITING }),
    createdAt,
    lastUpdatedAt,
    ttl,
    pollInterval,
  };
}
