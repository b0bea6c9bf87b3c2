import { drainingError } from "@holdpoint/protocol";

import type { Unclaimed } from "../interaction/unclaimed.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import { NoLongerAsked } from "../lib/no-longer-asked.ts";
import { createToolContext, type ToolContextParts } from "./create-tool-context.ts";
import type { CompiledTool } from "./define-tool.ts";
import { finishCall } from "./finish-call.ts";
import type { CallEnd, RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import { errorResult, queuedResult, resultOf, type ToolCallResult } from "./tool-result.ts";

const MAX_FRAMES = 12;

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
  tool: Pick<CompiledTool, "handler">,
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
  tool: Pick<CompiledTool, "handler">,
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
      // It is no failure that its caller needs no answer any more.
      if (end.error.cause instanceof NoLongerAsked) {
        return { content: end.error.message, isError: false };
      }
      return errorResult(end.error);
  }
}

function resultOfFailure(
  { onToolLog }: RunHandlerParts,
  { sessionId, toolName, toolCallId, turn }: RunningCall,
  error: unknown,
): ToolCallResult {
  if (ToolError.isInstance(error) && error.code === "DRAINING") throw drainingError();
  const mask = (text: string): string => maskSecrets(text, turn.calls.secrets);
  const result = errorResult(error, mask);
  const stack = mask(stackOf(error));
  onToolLog({
    level: "error",
    toolName,
    toolCallId,
    sessionId,
    message: result.content,
    ...(stack !== "" && { stack }),
  });
  return result;
}

/** Its places without its message, which stands before them and may hold what a person said. */
function stackOf(error: unknown, maxCauses = 4): string {
  if (!(error instanceof Error)) return "";
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const causes = maxCauses > 0 ? stackOf(error.cause, maxCauses - 1) : "";
  return [...lines.slice(0, MAX_FRAMES), ...(causes === "" ? [] : ["  caused by", causes])].join(
    "\n",
  );
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
