import { drainingError } from "@holdpoint/protocol";

import { maskSecrets } from "../lib/mask-secrets.ts";
import { createToolContext } from "./create-tool-context.ts";
import type { CompiledTool } from "./define-tool.ts";
import { finishCall } from "./finish-call.ts";
import type { RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import { errorResult, queuedResult, resultOf, type ToolCallResult } from "./tool-result.ts";
import type { CallEnd, ToolRun } from "./tool-run.ts";

/**
 * Runs the handler until it has a result, or until the call ends without it: then it is told by its signal, and what it
 * still does is nobody's result. A call that has ended before runs nothing. Rejects with `ProtocolError` when the gateway stops.
 */
export async function runHandler(
  run: ToolRun,
  tool: CompiledTool,
  call: RunningCall,
): Promise<ToolCallResult> {
  watchForEnd(run, call);
  call.begin(run);
  for (const interactionId of run.replay.interactionIds) run.core.unclaimed.keep(interactionId);
  try {
    if (run.end) return resultOfEnd(run.end);
    const handled = handle(run, tool).then((result) => ({ result }));
    const first = await Promise.race([handled, run.ending]);
    const end = run.end;
    if (end) return resultOfEnd(end);
    return "result" in first ? first.result : resultOfEnd(first);
  } catch (error: unknown) {
    return run.end ? resultOfEnd(run.end) : resultOfFailure(run, error);
  } finally {
    await close(run);
  }
}

async function handle(run: ToolRun, tool: CompiledTool): Promise<ToolCallResult> {
  return resultOf(await tool.handler(run.args, createToolContext(run)));
}

/** Everything that ends a call from outside. */
function watchForEnd(run: ToolRun, call: RunningCall): void {
  const { core, turn, calls } = run;
  const reasons: readonly (readonly [AbortSignal, () => string])[] = [
    [core.draining, () => "The gateway is stopping."],
    [call.signal, () => "The agent gave the call up."],
    [turn.signal, () => turn.stopRequest?.reason ?? "The turn was stopped."],
    [calls.ended, () => "The turn has ended."],
  ];
  for (const [signal, reason] of reasons) {
    if (signal.aborted) run.cancel(reason());
    else signal.addEventListener("abort", () => run.cancel(reason()), { signal: call.over });
  }
}

function resultOfEnd(end: CallEnd): ToolCallResult {
  switch (end.kind) {
    case "queued":
      return queuedResult(end.message);
    case "cancelled":
    case "failed":
      if (end.error.code === "DRAINING") throw drainingError();
      return errorResult(end.error);
  }
}

function resultOfFailure(run: ToolRun, error: unknown): ToolCallResult {
  const { core, calls, turn, toolName, toolCallId } = run;
  if (ToolError.isInstance(error) && error.code === "DRAINING") throw drainingError();
  const result = errorResult(error, (text) => maskSecrets(text, calls.secrets));
  const { sessionId } = turn;
  core.onToolLog({ level: "error", toolName, toolCallId, sessionId, message: result.content });
  return result;
}

/** Leaves nothing open behind the handler, and nothing that could be replayed, except what ended as queued. */
async function close(run: ToolRun): Promise<void> {
  const { core, turn, toolCallId, end, asked, replay } = run;
  const canComeAgain = end?.kind === "queued" || end?.error.code === "DRAINING";
  run.fail(new ToolError("INTERACTION_CANCELLED", "The call has ended."));
  for (const interactionId of replay.interactionIds) core.unclaimed.release(interactionId);
  if (canComeAgain) return;
  const interactionIds = new Set([...asked, ...replay.interactionIds]);
  const { sessionId } = turn;
  await finishCall(core, { sessionId, toolCallId, interactionIds }).catch((error: unknown) =>
    core.onError(error, "tool"),
  );
}
