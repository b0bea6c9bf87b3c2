import { drainingError } from "@holdpoint/protocol";

import type { Unclaimed } from "../interaction/unclaimed.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import { createToolContext, type ToolContextParts } from "./create-tool-context.ts";
import type { CompiledTool } from "./define-tool.ts";
import { finishCall } from "./finish-call.ts";
import type { CallEnd, RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import { errorResult, queuedResult, resultOf, type ToolCallResult } from "./tool-result.ts";

export interface RunHandlerParts extends ToolContextParts {
  readonly unclaimed: Unclaimed;
}

/**
 * Runs the handler until it has a result, or until the call ends without it: then the handler is notified by its signal,
 * and what it still does is nobody's result. A call that has ended before runs nothing. Rejects with `ProtocolError` when
 * the gateway stops.
 */
export async function runHandler(
  parts: RunHandlerParts,
  call: RunningCall,
  tool: CompiledTool,
): Promise<ToolCallResult> {
  for (const interactionId of call.run.replay.interactionIds) parts.unclaimed.keep(interactionId);
  try {
    if (call.end) return resultOfEnd(call.end);
    const handled = handle(parts, call, tool).then((result) => ({ result }));
    const first = await Promise.race([handled, call.ending]);
    const { end } = call;
    if (end) return resultOfEnd(end);
    return "result" in first ? first.result : resultOfEnd(first);
  } catch (error: unknown) {
    return call.end ? resultOfEnd(call.end) : resultOfFailure(parts, call, error);
  } finally {
    await close(parts, call);
  }
}

async function handle(
  parts: RunHandlerParts,
  call: RunningCall,
  tool: CompiledTool,
): Promise<ToolCallResult> {
  return resultOf(await tool.handler(call.run.args, createToolContext(parts, call)));
}

function resultOfEnd(end: CallEnd): ToolCallResult {
  switch (end.kind) {
    case "queued":
      return queuedResult(end.message);
    case "cancelled":
    case "failed":
    case "left":
      if (end.error.code === "DRAINING") throw drainingError();
      return errorResult(end.error);
  }
}

function resultOfFailure(
  { onToolLog }: RunHandlerParts,
  { sessionId, toolName, toolCallId, turn }: RunningCall,
  error: unknown,
): ToolCallResult {
  if (ToolError.isInstance(error) && error.code === "DRAINING") throw drainingError();
  const result = errorResult(error, (text) => maskSecrets(text, turn.calls.secrets));
  onToolLog({ level: "error", toolName, toolCallId, sessionId, message: result.content });
  return result;
}

/** Leaves nothing open behind the handler, and nothing that could be replayed, except after an end as queued. */
async function close(parts: RunHandlerParts, call: RunningCall): Promise<void> {
  const { end, asked, run, sessionId, toolCallId } = call;
  const canComeAgain = end?.kind === "queued" || end?.error.code === "DRAINING";
  call.close();
  const known = run.replay.interactionIds;
  for (const interactionId of known) parts.unclaimed.release(interactionId);
  if (canComeAgain) return;
  const interactionIds = new Set([...asked, ...known]);
  await finishCall(parts, { sessionId, toolCallId, interactionIds }).catch((error: unknown) =>
    parts.onError(error, "tool"),
  );
}
