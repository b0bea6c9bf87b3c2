import type { Clock, ToolCallRequest, ToolCallResult } from "@holdpoint/engine";
import type { CallToolResult } from "@modelcontextprotocol/server";

import type { ServedTools } from "./served-tools.ts";

const PROGRESS_INTERVAL_MS = 15_000;

export interface CallToolOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  /** Aborts when the client cancels the call or is gone. */
  readonly signal: AbortSignal;
  /** How long the client waits for the result; absent: without end. */
  readonly limitMs?: number | undefined;
  /** Tells the client that the call still runs; absent when it did not ask for that. `count` grows from 1. */
  readonly sendProgress?: ((count: number) => Promise<void>) | undefined;
  /** Is told of each interaction that the call waits for. */
  readonly onAsked?: ((interactionId: string) => void) | undefined;
}

/**
 * Calls a tool for as long as the client waits: tells it every 15 seconds that the call still runs, and at its limit ends
 * the call as queued. Leaves no timer behind.
 */
export async function callTool(
  request: ToolCallRequest,
  { tools, clock, signal, limitMs, sendProgress, onAsked }: CallToolOptions,
): Promise<CallToolResult> {
  const call = tools.call(request, { signal, ...(onAsked && { onAsked }) });
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

/** Tells a client that wants it every 15 seconds that the work still goes on. Leaves no timer behind. */
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
    // The call is over, or its client is gone, which its own signal tells.
  }
}

/** A result in the protocol's form. */
export function toCallToolResult({ content, isError, structured }: ToolCallResult): CallToolResult {
  return {
    content: [{ type: "text", text: content }],
    isError,
    ...(structured && { structuredContent: { ...structured } }),
  };
}
