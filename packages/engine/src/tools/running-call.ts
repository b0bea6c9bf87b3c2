import { isTraceparent, type ResponderPolicy } from "@holdpoint/protocol";

import type { PersonAnswer } from "../interaction/hold-end.ts";
import { RequestWithdrawn } from "../lib/request-withdrawn.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { EndableCall } from "../session/turn-calls.ts";
import type { Replay } from "./replay.ts";
import type { ToolContext } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolCallResult } from "./tool-result.ts";

export interface ToolCallRequest {
  readonly sessionId: string;
  /**
   * The agent's id of the call, unchanged when the same call comes again. Unique among the running calls of the
   * session.
   */
  readonly toolCallId: string;
  readonly name: string;
  readonly args: unknown;
  /** Runs in place of an offered tool, for an agent's own requests. It gets the arguments unchecked. */
  readonly handler?: (args: Record<string, unknown>, context: ToolContext) => unknown;
  /** Whether the caller may come back days after a restart of the gateway. Its interactions are kept for that long. */
  readonly comesAgain?: boolean;
  /** How long the caller may take to come back after a restart. Default: `reattachGraceMs`. */
  readonly comesWithinMs?: number | undefined;
  /** The trace of the call, in the format of W3C Trace Context. Invalid values are ignored. */
  readonly traceparent?: string | undefined;
}

export interface ToolCallOptions {
  /** Aborting gives the call up. If the reason is a `RequestWithdrawn`, its interactions show it. */
  readonly signal: AbortSignal;
  /**
   * The caller's connection, if the call can outlive it: a call with the same id is the same one, made again, only if
   * this has aborted. While it has not, the other call is another request.
   */
  readonly connection?: AbortSignal;
  /** Called for each interaction that the call waits for, once people can answer it. */
  readonly onAsked?: (interactionId: string) => void;
}

/** A running call. */
export interface ToolCall {
  /**
   * The result for the agent; failures of the tool are results. Rejects with `ProtocolError` when there can be none.
   */
  readonly result: Promise<ToolCallResult>;
  /**
   * Lets the call end with `{status: "queued"}` as soon as it waits for a person: its interaction stays open, and the
   * answer reaches the agent as a message. An answer at that very moment arrives in one of the two ways, not both.
   */
  finishAsQueued(): void;
}

/** How a call ended before its handler did. */
export type CallEnd =
  | { readonly kind: "queued"; readonly message: string; readonly error: ToolError }
  /** `left`: its agent is gone, and may repeat the call. */
  | { readonly kind: "cancelled" | "failed" | "left"; readonly error: ToolError };

/** The data for a handler, once the arguments are checked and the call is in a turn. */
export interface CallRun {
  readonly turn: RunningTurn;
  readonly args: Record<string, unknown>;
  readonly replay: Replay;
  /** Whether the tool changes nothing, so that it can run twice for one approval. */
  readonly readOnly: boolean;
  /** The tool's policy for who may answer its requests. */
  readonly responders?: ResponderPolicy | undefined;
}

const INTERRUPTED = "The tool was stopped while it handled this response.";

/**
 * A tool call, from its arrival to its result. If the same call comes again over another connection, it joins this one,
 * and both get the result.
 */
export class RunningCall implements ToolCall, EndableCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The digest of the tool's name and arguments. */
  readonly callDigest: string;
  readonly comesAgain: boolean;
  readonly comesWithinMs: number | undefined;
  readonly traceparent: string | undefined;
  /** Ids of all interactions that this call has opened or taken up. */
  readonly asked = new Set<string>();
  /** Answers that the handler is currently deciding on, by interaction. */
  readonly deciding = new Map<string, PersonAnswer>();
  /** Interactions whose approval the tool remembers under its own keys. */
  readonly remembered = new Set<string>();
  /** The number of answers by a grant that the handler is currently deciding on. */
  decidingAllowed = 0;
  /** The result of its handler; absent until that has begun. */
  handled: Promise<ToolCallResult> | undefined;
  /** The number of people's answers that its handler waits for. */
  waits = 0;
  readonly #draining: AbortSignal;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #abort = new AbortController();
  readonly #ending = Promise.withResolvers<CallEnd>();
  readonly #result = Promise.withResolvers<ToolCallResult>();
  readonly #whenFinishing = new Set<() => void>();
  readonly #whenAsked = new Set<(interactionId: string) => void>();
  #run: CallRun | undefined;
  #end: CallEnd | undefined;
  #isFinishing = false;
  #isSuspended = false;
  readonly #connections = new Set<AbortSignal>();
  #callers = 0;
  #steps = 0;

  constructor(
    parts: {
      readonly draining: AbortSignal;
      readonly onError: (error: unknown, where: string) => void;
    },
    {
      sessionId,
      toolCallId,
      name,
      comesAgain = false,
      comesWithinMs,
      traceparent,
    }: ToolCallRequest,
    callDigest: string,
  ) {
    this.#draining = parts.draining;
    this.#onError = parts.onError;
    this.sessionId = sessionId;
    this.toolCallId = toolCallId;
    this.toolName = name;
    this.callDigest = callDigest;
    this.comesAgain = comesAgain;
    this.comesWithinMs = comesWithinMs;
    this.traceparent = isTraceparent(traceparent) ? traceparent : undefined;
  }

  /** Aborts when the call has ended, for any reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get result(): Promise<ToolCallResult> {
    return this.#result.promise;
  }

  /** Resolves when the call ends before its handler. */
  get ending(): Promise<CallEnd> {
    return this.#ending.promise;
  }

  get end(): CallEnd | undefined {
    return this.#end;
  }

  /**
   * Whether an answer is no longer needed. After an end as queued, answers come as messages; after `left`, the next run
   * gets them.
   */
  get isOver(): boolean {
    return this.#end?.kind === "cancelled" || this.#end?.kind === "failed";
  }

  /** Whether a caller that can come again is still connected. */
  get hasConnection(): boolean {
    return [...this.#connections].some(({ aborted }) => !aborted);
  }

  /** Whether every caller has given it up. */
  get isGivenUp(): boolean {
    return this.#callers === 0;
  }

  /** Whether it has to end as queued as soon as it waits. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  get hasAsked(): boolean {
    return this.asked.size > 0 || (this.#run?.replay.interactionIds.length ?? 0) > 0;
  }

  /** Throws `TypeError` before `begin`. */
  get run(): CallRun {
    if (!this.#run) throw new TypeError("The call has not begun.");
    return this.#run;
  }

  get turn(): RunningTurn {
    return this.run.turn;
  }

  begin(run: CallRun): void {
    this.#run = run;
  }

  /** Adds a caller. The call is cancelled when the last one has given it up. */
  join({ signal, connection, onAsked }: ToolCallOptions): void {
    if (connection) this.#connections.add(connection);
    if (onAsked) this.#whenAsked.add(onAsked);
    const leave = (): void => {
      this.#callers -= 1;
      if (this.isGivenUp) this.cancel("The agent gave up on the call.", signal.reason);
    };
    this.#callers += 1;
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { signal: this.signal });
  }

  /** Records that the call now waits for this interaction. */
  noteAsked(interactionId: string): void {
    this.asked.add(interactionId);
    for (const tell of this.#whenAsked) tell(interactionId);
  }

  /** Sets the result of the call, once. */
  resolve(result: Promise<ToolCallResult>): void {
    this.#result.resolve(result);
  }

  /** The index of the handler's next request, from 0. */
  nextStep(): number {
    this.#steps += 1;
    return this.#steps - 1;
  }

  throwIfEnded(): void {
    if (this.#end) throw this.#end.error;
  }

  finishAsQueued(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    for (const run of this.#whenFinishing) run();
  }

  /** Calls `run` as soon as the call has to end as queued, or at once if it already has to. */
  whenFinishing(run: () => void): Disposable {
    if (this.#isFinishing) run();
    this.#whenFinishing.add(run);
    return { [Symbol.dispose]: () => void this.#whenFinishing.delete(run) };
  }

  cancel(reason: string, cause?: unknown): void {
    if (this.#isSuspended) return;
    const error = this.#draining.aborted
      ? new ToolError("DRAINING", "The gateway is stopping.")
      : new ToolError("INTERACTION_CANCELLED", reasonOf(cause) ?? reason, { cause });
    this.#finish({ kind: "cancelled", error });
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  letGo(): void {
    this.#finish({
      kind: "left",
      error: new ToolError("DRAINING", "The agent that called is gone."),
    });
  }

  /** Ends the call as queued, with all its pending interactions. Returns the error that ends the handler. */
  queue(message: string): ToolError {
    const error = new ToolError("INTERACTION_QUEUED", message);
    this.#finish({ kind: "queued", message, error });
    return error;
  }

  /** Ends the call with an error, even if its handler catches it. Returns that error. */
  fail(error: ToolError): ToolError {
    this.#finish({ kind: "failed", error });
    return error;
  }

  /** Ends everything that the call has left open. */
  close(): void {
    this.fail(new ToolError("INTERACTION_CANCELLED", "The call has ended."));
  }

  #finish(end: CallEnd): void {
    if (this.#end) return;
    this.#end = end;
    if (end.error.code !== "DRAINING") this.#closeDecisions();
    if (end.kind === "queued") this.finishAsQueued();
    this.#ending.resolve(end);
    this.#abort.abort(end.error);
  }

  /** Delivers the responses that the handler got and can no longer act on. */
  #closeDecisions(): void {
    for (const { deliver } of this.deciding.values()) {
      deliver(INTERRUPTED).catch((error: unknown) => this.#onError(error, "tool"));
    }
  }
}

function reasonOf(cause: unknown): string | undefined {
  return cause instanceof RequestWithdrawn ? cause.message : undefined;
}
