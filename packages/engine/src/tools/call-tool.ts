import { type UnplacedEvent, drainingError } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { hashOf } from "../lib/digest.ts";
import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import type { LiveSession } from "../session/live-session.ts";
import { loadReplay } from "./replay.ts";
import { runHandler } from "./run-handler.ts";
import { RunningCall, type ToolCallOptions } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { errorResult, type ToolCallResult } from "./tool-result.ts";
import { ToolRun, type ToolCallRequest } from "./tool-run.ts";
import { joinTurn } from "./tool-turn.ts";

/** A call under way. */
export interface ToolCall {
  /** What the agent gets; failures of the tool are results. Rejects with `ProtocolError` when there can be none. */
  readonly result: Promise<ToolCallResult>;
  /**
   * Lets the call end with `{status: "queued"}` as soon as it waits for a person: what it asks stays open, and the answer
   * reaches the agent as a message. An answer in that moment comes either way, not both.
   */
  finishAsQueued(): void;
}

/** Starts a call, or joins it when it runs already. */
export function startToolCall(
  core: Core,
  registry: ToolRegistry,
  request: ToolCallRequest,
  options: ToolCallOptions,
): ToolCall {
  const { sessionId, toolCallId, name, args } = request;
  const callDigest = digestOfCall(name, args);
  if (callDigest === undefined) return failed("INVALID_ARGUMENTS", "The arguments are not JSON.");
  const live = core.sessions.acquire(sessionId);
  const known = live.calls.get(toolCallId);
  if (known) {
    core.sessions.release(live);
    return known.signal.aborted
      ? startAfter(known, () => startToolCall(core, registry, request, options))
      : joinCall(known, callDigest, options);
  }
  const call = new RunningCall(callDigest);
  live.calls.set(toolCallId, call);
  call.join(options);
  const result = runCall(core, registry, live, { request, call }).finally(() => {
    live.calls.delete(toolCallId);
    call.end();
    core.sessions.release(live);
  });
  call.result = core.background.track(result);
  return { result, finishAsQueued: () => call.finishAsQueued() };
}

function joinCall(known: RunningCall, callDigest: string, options: ToolCallOptions): ToolCall {
  if (known.callDigest !== callDigest || !known.result) {
    return failed("DUPLICATE_CALL", "Another call with this id is running.");
  }
  known.join(options);
  return { result: known.result, finishAsQueued: () => known.finishAsQueued() };
}

/** Nobody wanted the one before any more: it is on its way out, and this one begins anew. */
function startAfter(known: RunningCall, start: () => ToolCall): ToolCall {
  let isFinishing = false;
  let call: ToolCall | undefined;
  const result = Promise.allSettled([known.result]).then(() => {
    call = start();
    if (isFinishing) call.finishAsQueued();
    return call.result;
  });
  return {
    result,
    finishAsQueued() {
      isFinishing = true;
      call?.finishAsQueued();
    },
  };
}

function failed(code: ToolError["code"], message: string): ToolCall {
  const result = Promise.resolve(errorResult(new ToolError(code, message)));
  return { result, finishAsQueued: () => undefined };
}

function digestOfCall(name: string, args: unknown): string | undefined {
  try {
    return hashOf({ name, args: args ?? {} });
  } catch {
    // What JSON cannot carry has no digest.
    return undefined;
  }
}

interface Call {
  readonly request: ToolCallRequest;
  readonly call: RunningCall;
}

async function runCall(
  core: Core,
  registry: ToolRegistry,
  live: LiveSession,
  { request, call }: Call,
): Promise<ToolCallResult> {
  if (core.draining.aborted) throw drainingError();
  const { sessionId, toolCallId, name } = request;
  const tool = registry.get(name);
  if (!tool) return errorResult(new ToolError("UNKNOWN_TOOL", `There is no tool ${name}.`));
  const parsed = await tool.parse(request.args);
  if (parsed.status === "invalid") {
    return errorResult(new ToolError("INVALID_ARGUMENTS", parsed.message));
  }
  if (!(await core.store.getSession(sessionId))) throw notFound("session");
  const { callDigest } = call;
  const replay = await loadReplay(core, { sessionId, toolCallId, callDigest });
  const joined = await joinTurn(core, live, call).catch((error: unknown) => {
    if (!call.signal.aborted) throw error;
  });
  if (!joined) return errorResult(new ToolError("INTERACTION_CANCELLED", "The call was given up."));
  try {
    const { turn, calls } = joined;
    const run = new ToolRun(
      { core, live, turn, calls },
      { toolName: name, toolCallId, args: parsed.args, callDigest, replay },
    );
    const play = () => runHandler(run, tool, call);
    return await (calls.isOwn ? writeAround(run, request.args, play) : play());
  } finally {
    joined.calls.leave();
  }
}

/** Where no agent writes what it called and got, the gateway does. */
async function writeAround(
  run: ToolRun,
  sent: unknown,
  play: () => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  const { core, calls, toolCallId, toolName } = run;
  const at = () => toInstant(core.clock.now());
  // Arguments that were not an object have been refused.
  const input = { ...(sent as Record<string, unknown> | undefined) };
  await write(run, { type: "tool_call", at: at(), toolCallId, toolName, input });
  const result = await play();
  const content = maskSecrets(result.content, calls.secrets);
  const { isError } = result;
  await write(run, { type: "tool_result", at: at(), toolCallId, content, isError }).catch(
    // The tool has run: its agent gets the result all the same.
    (error: unknown) => core.onError(error, "tool"),
  );
  return result;
}

type ToolEvent = Extract<UnplacedEvent, { type: "tool_call" | "tool_result" }>;

async function write({ core, turn }: ToolRun, event: ToolEvent): Promise<void> {
  const { sessionId, turnId } = turn;
  if (turn.closed || core.draining.aborted) return;
  await turn.writes.track(core.log.append({ sessionId, events: [{ ...event, turnId }] }));
}
