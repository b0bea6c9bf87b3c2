import type { Clock, ToolCallRequest, ToolCallResult } from "@holdpoint/engine";
import type { CallToolResult } from "@modelcontextprotocol/server";

import type { ServedTools } from "./served-tools.ts";

const PROGRESS_INTERVAL_MS = 15_000;

export interface CallToolOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** How long the client waits for the result; absent: without a limit. */
  readonly limitMs?: number | undefined;
  /** Reports progress; absent when the client did not ask for it. `count` starts at 1. */
  readonly sendProgress?: ((count: number) => Promise<void>) | undefined;
  /** The client's connection, if the client makes the call again when that is lost. */
  readonly connection?: AbortSignal | undefined;
  /** Called with each interaction that the call waits for. */
  readonly onAsked?: ((interactionId: string) => void) | undefined;
}

/**
 * Calls a tool: reports progress every 15 seconds, and finishes the call as queued at its limit. Leaves no timer
 * running.
 */
export async function callTool(
  request: ToolCallRequest,
  { tools, clock, signal, connection, limitMs, sendProgress, onAsked }: CallToolOptions,
): Promise<CallToolResult> {
  const call = tools.call(request, {
    signal,
    ...(connection && { connection }),
    ...(onAsked && { onAsked }),
  });
  const limit =
    limitMs === undefined ? undefined : clock.after(limitMs, () => call.finishAsQueued());
  try {
    return await whileReporting(sendProgress, clock, async () =>
      toCallToolResult(await call.result),
    );
  } finally {
    limit?.[Symbol.dispose]();
  }
}

/** Reports progress every 15 seconds until the work is done. Leaves no timer running. */
export async function whileReporting<TResult>(
  sendProgress: ((count: number) => Promise<void>) | undefined,
  clock: Clock,
  work: () => Promise<TResult>,
): Promise<TResult> {
  const over = new AbortController();
  if (sendProgress) void reportProgress(sendProgress, clock, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
  }
}

async function reportProgress(
  send: (count: number) => Promise<void>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let count = 1; ; count += 1) {
      await clock.sleep(PROGRESS_INTERVAL_MS, { signal });
      await send(count);
    }
  } catch {
    // The call has ended, or its client has disconnected, which aborts the call's own signal.
  }
}

/** Converts a result to the protocol's form. */
export function toCallToolResult({ content, isError, structured }: ToolCallResult): CallToolResult {
  return {
    content: [{ type: "text", text: content }],
    isError,
    ...(structured && { structuredContent: { ...structured } }),
  };
}
