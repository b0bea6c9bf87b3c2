import { type UnplacedEvent, drainingError } from "@holdpoint/protocol";

import type { BackgroundTasks } from "../lib/background-tasks.ts";
import { hashOf } from "../lib/digest.ts";
import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { maskSecrets, secretTexts } from "../lib/mask-secrets.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { confirmAnswers } from "../turn/confirm-answers.ts";
import type { CompiledTool } from "./define-tool.ts";
import { loadReplay, type EndedCall } from "./replay.ts";
import { finishLeft, runHandler, type RunHandlerParts } from "./run-handler.ts";
import {
  RunningCall,
  type ToolCall,
  type ToolCallOptions,
  type ToolCallRequest,
} from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { errorResult, toResult, type ToolCallResult } from "./tool-result.ts";
import { joinTurn, type ToolTurnParts } from "./tool-turn.ts";

export interface CallToolParts extends RunHandlerParts, ToolTurnParts {
  /** Background work that closing waits for. */
  readonly background: BackgroundTasks;
}

/** The most interactions of a session that are searched for a call that was cut short. */
const MAX_LEFT = 200;

type CalledTool = Pick<CompiledTool, "handler" | "parse" | "readOnly" | "responders">;

/** Starts calls of the registry's tools. If the same call comes again while it runs, it joins the running one. */
export class ToolCalls {
  readonly #parts: CallToolParts;
  readonly #registry: ToolRegistry;
  readonly #running = new Map<string, RunningCall>();
  /** Handlers that keep working although their calls have ended. */
  readonly #left = new Map<string, Promise<void>>();
  /** Calls cut short that were promised to a caller that is about to start them. */
  readonly #promised = new Set<string>();

  constructor(parts: CallToolParts, registry: ToolRegistry) {
    this.#parts = parts;
    this.#registry = registry;
  }

  start(request: ToolCallRequest, options: ToolCallOptions): ToolCall {
    const callDigest = digestOf(request);
    if (callDigest === undefined) return failed("INVALID_ARGUMENTS", "The arguments are not JSON.");
    const key = keyOf(request);
    this.#promised.delete(key);
    const known = this.#running.get(key);
    if (known?.isGivenUp) return startAfter(known, () => this.start(request, options));
    if (known && known.callDigest !== callDigest) {
      return failed("DUPLICATE_CALL", "Another call with this id is running.");
    }
    if (known?.hasConnection) return this.start(withNextId(request), options);
    if (known) {
      known.join(options);
      return known;
    }
    const { sessions, background } = this.#parts;
    const call = new RunningCall(this.#parts, request, callDigest);
    this.#running.set(key, call);
    call.join(options);
    const result = sessions
      .use(request.sessionId, (live) => this.#run(live, call, request))
      .finally(() => {
        this.#running.delete(key);
        this.#leave(key, call);
        call.close();
      });
    call.resolve(background.track(result));
    return call;
  }

  #leave(key: string, call: RunningCall): void {
    // A handler that waits for a person no longer gets an answer. The next run waits for it.
    if (!call.handled || call.waits > 0 || call.end?.error.code !== "DRAINING") return;
    const left = finishLeft(this.#parts, call).finally(() => {
      if (this.#left.get(key) === left) this.#left.delete(key);
    });
    this.#left.set(key, this.#parts.background.track(left));
  }

  /** See `GatewayTools.takeLeft`. */
  async takeLeft(sessionId: string, name: string, args: unknown): Promise<string | undefined> {
    const { store, unclaimed } = this.#parts;
    const callDigest = digestOf({ name, args });
    if (callDigest === undefined || !unclaimed.hasOf(sessionId)) return undefined;
    const query = { statuses: ["pending", "answered"], sessionId, limit: MAX_LEFT } as const;
    const { items } = await store.listInteractions(query);
    const found = items.find(({ call, interaction: { interactionId, toolCallId } }) => {
      const key = keyOf({ sessionId, toolCallId });
      const isLeft = unclaimed.has(interactionId) && call?.callDigest === callDigest;
      return isLeft && !call.finished && !this.#running.has(key) && !this.#promised.has(key);
    });
    if (found) this.#promised.add(keyOf(found.interaction));
    return found?.interaction.toolCallId;
  }

  async #run(
    live: LiveSession,
    call: RunningCall,
    { args: sent, handler }: ToolCallRequest,
  ): Promise<ToolCallResult> {
    const parts = this.#parts;
    if (parts.draining.aborted) throw drainingError();
    const { sessionId, toolName } = call;
    const tool = handler ? toOwnTool(handler) : this.#registry.get(toolName);
    if (!tool) return errorResult(new ToolError("UNKNOWN_TOOL", `There is no tool ${toolName}.`));
    const parsed = await tool.parse(sent);
    if (parsed.status === "invalid") {
      return errorResult(new ToolError("INVALID_ARGUMENTS", parsed.message));
    }
    if (!(await parts.store.getSession(sessionId))) throw notFound("session");
    await Promise.race([this.#left.get(keyOf(call)), call.ending]);
    const turn = await joinTurn(parts, live, call);
    if (!turn) {
      return errorResult(new ToolError("INTERACTION_CANCELLED", "The call was abandoned."));
    }
    try {
      const { readOnly, responders } = tool;
      await forgetEarlier(parts, call, turn);
      const replay = await loadReplay(parts.store, call);
      call.begin({ turn, args: parsed.args, replay, responders, readOnly });
      if (replay.ended) return giveAgain(parts, call, replay.ended);
      const run = (): Promise<ToolCallResult> => runHandler(parts, call, tool);
      return await (turn.startedBy === "call" ? writeAround(parts, call, { sent, run }) : run());
    } finally {
      turn.calls.leave(call);
    }
  }
}

/** A tool for an agent's own call, whose arguments only the agent can judge. */
function toOwnTool(handler: NonNullable<ToolCallRequest["handler"]>): CalledTool {
  return {
    handler,
    // The agent acts, not the handler.
    readOnly: true,
    parse: async (args) => ({ status: "valid", args: { ...(args as Record<string, unknown>) } }),
  };
}

/** Records that the agent has the result of an earlier call with this id. This one is a different call. */
async function forgetEarlier(
  parts: CallToolParts,
  { toolCallId }: RunningCall,
  turn: RunningTurn,
): Promise<void> {
  if (!turn.given.delete(toolCallId)) return;
  await turn.writes.track(confirmAnswers(parts, turn, toolCallId));
}

/** Returns the result of the same call again, because its agent may not have received it. */
function giveAgain(
  { unclaimed }: CallToolParts,
  { toolCallId, turn }: RunningCall,
  { kept, rows }: EndedCall,
): ToolCallResult {
  turn.hasAsked = true;
  turn.given.add(toolCallId);
  for (const { interaction, secretValues, keptResult } of rows) {
    const { interactionId, status } = interaction;
    for (const secret of secretTexts(secretValues)) turn.calls.secrets.add(secret);
    turn.calls.adopted.add(interactionId);
    unclaimed.claim(interactionId);
    if (status === "answered") turn.unconfirmed.add(toolCallId, interactionId);
    else if (keptResult) turn.unconfirmed.add(toolCallId, interactionId, { isKeeper: true });
  }
  return toResult(kept);
}

/** Starts the call after one with the same id that was given up and is about to end. */
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

/** An equal call with an id that is in use is another request: `call_0`, then `call_0~2`, `call_0~3`. */
function withNextId(request: ToolCallRequest): ToolCallRequest {
  const [, id = request.toolCallId, count = "1"] = /^(.*)~(\d+)$/su.exec(request.toolCallId) ?? [];
  return { ...request, toolCallId: `${id}~${Number(count) + 1}` };
}

function keyOf({ sessionId, toolCallId }: Pick<ToolCallRequest, "sessionId" | "toolCallId">) {
  return JSON.stringify([sessionId, toolCallId]);
}

/** `undefined` for arguments that JSON cannot represent. */
function digestOf({ name, args }: Pick<ToolCallRequest, "args" | "name">): string | undefined {
  try {
    return hashOf({ name, args: args ?? {} });
  } catch {
    return undefined;
  }
}

/** Writes the call and its result to the log, for calls that no agent records. */
async function writeAround(
  parts: CallToolParts,
  call: RunningCall,
  { sent, run }: { readonly sent: unknown; readonly run: () => Promise<ToolCallResult> },
): Promise<ToolCallResult> {
  const { toolCallId, toolName, turn } = call;
  const at = (): string => toInstant(parts.clock.now());
  // Arguments that are not an object have already been refused.
  const input = { ...(sent as Record<string, unknown> | undefined) };
  await write(parts, call, { type: "tool_call", at: at(), toolCallId, toolName, input });
  const result = await run();
  const content = maskSecrets(result.content, turn.calls.secrets);
  const { isError } = result;
  await write(parts, call, { type: "tool_result", at: at(), toolCallId, content, isError }).catch(
    // The tool has run, so its agent gets the result anyway.
    (error: unknown) => parts.onError(error, "tool"),
  );
  return result;
}

type ToolEvent = Extract<UnplacedEvent, { type: "tool_call" | "tool_result" }>;

async function write(
  { log, draining }: CallToolParts,
  { turn }: RunningCall,
  event: ToolEvent,
): Promise<void> {
  const { sessionId, turnId } = turn;
  if (turn.closed || draining.aborted) return;
  await turn.writes.track(log.append({ sessionId, events: [{ ...event, turnId }] }));
}
