import type { Core } from "../gateway/core.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { TurnCalls } from "../session/turn-calls.ts";
import { deliver, queueInteraction } from "./deliver.ts";
import type { Replay } from "./replay.ts";
import { ToolError } from "./tool-error.ts";

/** How a call ended before its handler did. */
export type CallEnd =
  | { readonly kind: "queued"; readonly message: string; readonly error: ToolError }
  | { readonly kind: "cancelled" | "failed"; readonly error: ToolError };

export interface CallPlace {
  readonly core: Core;
  readonly live: LiveSession;
  readonly turn: RunningTurn;
  readonly calls: TurnCalls;
}

export interface ToolCallRequest {
  readonly sessionId: string;
  /** Of the agent; the same call coming again has the same. Unique among the calls that run in the session. */
  readonly toolCallId: string;
  readonly name: string;
  readonly args: unknown;
}

const interruptedWords = "The tool was stopped while it handled this response.";

/** One run of a handler for one call. */
export class ToolRun {
  readonly core: Core;
  readonly live: LiveSession;
  readonly turn: RunningTurn;
  readonly calls: TurnCalls;
  readonly toolName: string;
  readonly toolCallId: string;
  readonly args: Record<string, unknown>;
  readonly callDigest: string;
  readonly replay: Replay;
  /** Ids of all that this call has asked, now and before. */
  readonly asked = new Set<string>();
  /** Ids of what waits for a person now. */
  readonly waiting = new Set<string>();
  /** What was answered and is with the handler now. */
  readonly deciding = new Map<string, StoredInteraction>();
  /** How many answers by a grant are with the handler now. */
  decidingAllowed = 0;
  readonly #ending = Promise.withResolvers<CallEnd>();
  readonly #abort = new AbortController();
  readonly #withdrawal = new AbortController();
  #end: CallEnd | undefined;
  #isFinishing = false;
  #steps = 0;

  constructor(
    place: CallPlace,
    call: {
      readonly toolName: string;
      readonly toolCallId: string;
      readonly args: Record<string, unknown>;
      readonly callDigest: string;
      readonly replay: Replay;
    },
  ) {
    this.core = place.core;
    this.live = place.live;
    this.turn = place.turn;
    this.calls = place.calls;
    this.toolName = call.toolName;
    this.toolCallId = call.toolCallId;
    this.args = call.args;
    this.callDigest = call.callDigest;
    this.replay = call.replay;
  }

  /** Aborts when the call ends before its handler. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts when what waits is to be taken back. */
  get withdrawal(): AbortSignal {
    return this.#withdrawal.signal;
  }

  /** Resolves when the call ends before its handler. */
  get ending(): Promise<CallEnd> {
    return this.#ending.promise;
  }

  get end(): CallEnd | undefined {
    return this.#end;
  }

  /** It is to end as queued as soon as it waits. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** Lets all that waits stay open without the call. Whoever answers in that moment is first, or is not. */
  finishAsQueued(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    for (const interactionId of this.waiting) queueInteraction(this, interactionId);
  }

  /** Counts the handler's requests. */
  nextStep(): number {
    this.#steps += 1;
    return this.#steps - 1;
  }

  /** Throws when the call has ended. */
  throwIfEnded(): void {
    if (this.#end) throw this.#end.error;
  }

  /** Ends the call because nobody needs it any more. */
  cancel(reason: string): void {
    const error = this.core.draining.aborted
      ? new ToolError("DRAINING", "The gateway is stopping.")
      : new ToolError("INTERACTION_CANCELLED", reason);
    this.#finish({ kind: "cancelled", error });
  }

  /** Ends the call as queued, with all that still waits; returns what ends the handler. */
  queue(message: string): ToolError {
    const error = new ToolError("INTERACTION_QUEUED", message);
    this.#finish({ kind: "queued", message, error });
    return error;
  }

  /** Ends the call with an error that its handler cannot catch away; returns that. */
  fail(error: ToolError): ToolError {
    this.#finish({ kind: "failed", error });
    return error;
  }

  #finish(end: CallEnd): void {
    if (this.#end) return;
    this.#end = end;
    if (end.error.code !== "DRAINING") this.#closeDecisions();
    if (end.kind === "queued") this.finishAsQueued();
    else this.#withdrawal.abort(end.error);
    this.#ending.resolve(end);
    this.#abort.abort(end.error);
  }

  /** What the handler still decides about comes to nothing: it was delivered, and that is all. */
  #closeDecisions(): void {
    for (const stored of this.deciding.values()) {
      deliver(this, stored, interruptedWords).catch((error: unknown) =>
        this.core.onError(error, "tool"),
      );
    }
  }
}
