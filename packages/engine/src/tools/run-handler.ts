import { drainingError } from "@holdpoint/protocol";

import type { UnclaimedInteractions } from "../interaction/unclaimed-interactions.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import { RequestWithdrawn } from "../lib/request-withdrawn.ts";
import { retryUntilDone } from "../lib/retry-until-done.ts";
import { confirmAnswers } from "../turn/confirm-answers.ts";
import { createToolContext, type ToolContextParts } from "./create-tool-context.ts";
import type { CompiledTool } from "./define-tool.ts";
import { finishCall } from "./finish-call.ts";
import type { CallEnd, RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import { errorResult, queuedResult, resultOf, type ToolCallResult } from "./tool-result.ts";

const MAX_FRAMES = 12;
const NOT_RUN_AGAIN =
  "The gateway ended while the tool worked. It is unknown whether the tool finished its work.";

export interface RunHandlerParts extends ToolContextParts {
  readonly unclaimed: UnclaimedInteractions;
}

/**
 * Runs the handler until it has a result, or until the call ends without it. In that case the handler is notified by
 * its signal, and its result is discarded, unless the call may come again for it. A call that has already ended runs
 * nothing. Rejects with `ProtocolError` when the gateway stops.
 */
export async function runHandler(
  parts: RunHandlerParts,
  call: RunningCall,
  tool: Pick<CompiledTool, "handler">,
): Promise<ToolCallResult> {
  for (const interactionId of call.run.replay.interactionIds) parts.unclaimed.keep(interactionId);
  let result: ToolCallResult | undefined;
  try {
    if (call.end) return resultOfEnd(call.end);
    if (call.run.replay.mayHaveRun) throw resultUnknown(call);
    const handled = handle(parts, call, tool);
    call.handled = handled;
    const first = await Promise.race([handled.then((made) => ({ made })), call.ending]);
    if (call.end) return resultOfEnd(call.end);
    result = "made" in first ? first.made : resultOfEnd(first);
    return result;
  } catch (error: unknown) {
    if (call.end) return resultOfEnd(call.end);
    result = resultOfFailure(parts, call, error);
    return result;
  } finally {
    await close(parts, call, result);
  }
}

/** An approved call runs at most once. */
function resultUnknown({ run, toolCallId, turn }: RunningCall): ToolError {
  const detail =
    "The gateway ended while this tool worked after an approval, so it was not run again. It may have done all of its work, a part of it or nothing. Find out before you call it again.";
  for (const interactionId of run.replay.interactionIds) {
    turn.unconfirmed.add(toolCallId, interactionId, { failure: NOT_RUN_AGAIN });
  }
  return new ToolError("RESULT_UNKNOWN", detail);
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
      // A caller that no longer needs an answer is not a failure.
      if (end.error.cause instanceof RequestWithdrawn) {
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

/** The stack frames without the message before them, which may contain a person's words. */
function stackOf(error: unknown, maxCauses = 4): string {
  if (!(error instanceof Error)) return "";
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const causes = maxCauses > 0 ? stackOf(error.cause, maxCauses - 1) : "";
  return [...lines.slice(0, MAX_FRAMES), ...(causes === "" ? [] : ["  caused by", causes])].join(
    "\n",
  );
}

/**
 * Leaves nothing open after the handler. The result is kept until the agent has it. A call that ended as queued, or
 * that the agent may repeat, can be replayed.
 */
async function close(
  parts: RunHandlerParts,
  call: RunningCall,
  result: ToolCallResult | undefined,
): Promise<void> {
  const { end, run, toolCallId, turn } = call;
  const isLeft = end?.error.code === "DRAINING";
  call.close();
  for (const interactionId of run.replay.interactionIds) parts.unclaimed.release(interactionId);
  try {
    if (isLeft) return;
    if (end?.kind !== "queued") await finish(parts, call, result);
    if (end === undefined) turn.given.add(toolCallId);
    // No agent's stream shows the result of a call without one, or of a call outside the agent's turn.
    const isShown = end === undefined && turn.startedBy !== "call";
    if (!isShown && !turn.closed) await turn.writes.track(confirmAnswers(parts, turn, toolCallId));
  } catch (error: unknown) {
    parts.onError(error, "tool");
  }
}

async function finish(
  parts: RunHandlerParts,
  { asked, run, sessionId, toolCallId, turn }: RunningCall,
  result: ToolCallResult | undefined,
): Promise<void> {
  const interactionIds = new Set([...asked, ...run.replay.interactionIds]);
  const { secrets } = turn.calls;
  const taken = turn.unconfirmed.of(toolCallId);
  const call = { sessionId, toolCallId, interactionIds, taken, result, secrets };
  const keeper = await retryUntilDone(parts, "tool", () => finishCall(parts, call));
  if (keeper !== undefined && !taken.has(keeper)) {
    turn.unconfirmed.add(toolCallId, keeper, { isKeeper: true });
  }
}

/**
 * Waits for a handler that keeps working after its call has ended, and keeps its result for a repetition of the call.
 * Never rejects.
 */
export async function finishLeft(parts: RunHandlerParts, call: RunningCall): Promise<void> {
  try {
    const result = await call.handled;
    if (result) await finish(parts, call, result);
  } catch {
    // It failed together with its call. The next run asks again.
  }
}
