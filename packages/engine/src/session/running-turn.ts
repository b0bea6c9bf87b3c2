import type { TurnUsage } from "@holdpoint/protocol";

import { Outstanding } from "../lib/outstanding.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import { TurnCalls } from "./turn-calls.ts";
import { Untaken } from "./untaken.ts";

/** Why a turn ends before its agent says so. */
export interface StopRequest {
  readonly reason: string;
}

export interface TurnOutcome {
  readonly result: TurnResult;
  /** The agent can take another turn. */
  readonly keepAgent: boolean;
  /** The agent was left to the next gateway, which goes on with this turn. */
  readonly isLeft?: true;
}

/** The turn that a session runs now: what it still waits for, and how it is stopped. */
export class RunningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  readonly cwd: string;
  /** Who has made the session; a session of which nobody knows that counts by itself. */
  readonly createdBy: string;
  /** A turn that a call began has no agent: it lasts as long as it has calls, and the gateway writes what they do. */
  readonly startedBy: "message" | "call" | "resume" | "attach";
  /** The agent goes on where it was: it may ask again what it has asked before. */
  readonly asksAgain: boolean;
  /** The calls of gateway tools in it. */
  readonly calls = new TurnCalls();
  /** Interactions that wait for a person, in the order in which they were asked. */
  readonly pending = new Set<string>();
  /** Writes that the turn's end comes after. */
  readonly writes = new Outstanding();
  readonly #stopping = new AbortController();
  readonly #forced = Promise.withResolvers<TurnOutcome>();
  #stop: StopRequest | undefined;
  #closed = false;
  /** Its beginning is in the log. */
  begun = false;
  /** Whether it ever asked for anything. */
  hasAsked = false;
  /** The first write that failed: the turn cannot go on without its log. */
  failure: unknown;
  /** Its agent is being ended while it waits. */
  isParking = false;
  /** What it was started for: the answer to this interaction. */
  resumes: string | undefined;
  /** Answers whose tool call has no result in the agent's stream yet, by tool call. */
  readonly untaken = new Untaken();
  /** Tool calls whose result their caller has got. One that comes again in this turn is another call with the same id. */
  readonly given = new Set<string>();
  /** Answers that were handed to the agent and that it has not shown to have. */
  readonly handedOver = new Set<string>();
  /** Taken over as well: interactions about which its agent has not asked again, so that nobody can have their answers. */
  readonly unasked = new Set<string>();
  /** Interactions of an earlier run that a request has taken up. Another request is another call, whatever it asks. */
  readonly takenUp = new Set<string>();
  /** Ends the turn without its agent, some time after it was asked to stop. */
  forceTimer: Disposable | undefined;
  /** Its model does not answer, and its agent tries again. */
  isRetrying = false;
  /** What its agent has told of it. */
  usage: TurnUsage | undefined;
  /** The last error that the agent reported. */
  lastError: { readonly code: string; readonly message: string } | undefined;

  constructor({
    sessionId,
    turnId,
    agent,
    cwd,
    createdBy = `session ${sessionId}`,
    startedBy = "message",
  }: {
    readonly sessionId: string;
    readonly turnId: string;
    readonly agent: string;
    readonly cwd: string;
    readonly createdBy?: string | undefined;
    readonly startedBy?: RunningTurn["startedBy"];
  }) {
    this.sessionId = sessionId;
    this.turnId = turnId;
    this.agent = agent;
    this.cwd = cwd;
    this.createdBy = createdBy;
    this.startedBy = startedBy;
    this.asksAgain = startedBy === "resume" || startedBy === "attach";
  }

  /** Aborts when the turn is to stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** It was stopped before an agent got it. One that runs already, in its host, must be told or ended. */
  get needsNoAgent(): boolean {
    return this.signal.aborted && this.startedBy !== "attach";
  }

  get stopRequest(): StopRequest | undefined {
    return this.#stop;
  }

  /** Nothing may be written for it any more, whatever its agent still does. */
  get closed(): boolean {
    return this.#closed;
  }

  /** False when it was asked to stop before. */
  requestStop(reason: string): boolean {
    if (this.#stop) return false;
    this.#stop = { reason };
    this.calls.end(reason);
    this.#stopping.abort(new DOMException(reason, "AbortError"));
    return true;
  }

  close(): void {
    // Before the turn is closed: its calls still record the responses that they have. Calls wait for a turn that never began.
    if (this.begun) this.calls.end("The turn has ended.");
    this.#closed = true;
  }

  /** Ends `outcomeOf` without waiting for the agent any longer. */
  force(outcome: TurnOutcome = { result: { reason: "stopped" }, keepAgent: false }): void {
    this.#forced.resolve(outcome);
  }

  /** The agent's own result, unless the turn is forced to end before. */
  outcomeOf(work: Promise<TurnOutcome>): Promise<TurnOutcome> {
    return Promise.race([work, this.#forced.promise]);
  }
}
