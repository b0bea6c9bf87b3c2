import type { TurnUsage } from "@holdpoint/protocol";

import { BackgroundTasks } from "../lib/background-tasks.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import { TurnCalls } from "./turn-calls.ts";
import { UnconfirmedAnswers } from "./unconfirmed-answers.ts";

/** Why a turn ends before its agent ends it. */
export interface StopRequest {
  readonly reason: string;
}

export interface TurnOutcome {
  readonly result: TurnResult;
  /** Whether the agent can run another turn. */
  readonly keepAgent: boolean;
  /** The agent was left to the next gateway, which continues this turn. */
  readonly isLeft?: true;
}

/** The turn that a session runs: its pending work, and how to stop it. */
export class RunningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  readonly cwd: string;
  /** The creator of the session. A session without a known creator counts on its own. */
  readonly createdBy: string;
  /** A turn that a call began has no agent: it lasts as long as it has calls, and the gateway writes their events. */
  readonly startedBy: "message" | "call" | "resume" | "attach";
  /** The agent continues an earlier run, so it may repeat its requests. */
  readonly asksAgain: boolean;
  /** The turn's calls of gateway tools. */
  readonly calls = new TurnCalls();
  /** Interactions that wait for a person, in the order in which they were opened. */
  readonly pending = new Set<string>();
  /** Writes that must finish before the turn's end is written. */
  readonly writes = new BackgroundTasks();
  readonly #stopping = new AbortController();
  readonly #forced = Promise.withResolvers<TurnOutcome>();
  #stop: StopRequest | undefined;
  #closed = false;
  /** Resolves when the pictures of results so far are kept: later events are written after them. */
  pictures: Promise<unknown> | undefined;
  /** Its beginning is in the log. */
  begun = false;
  /** Whether it has asked for anything. */
  hasAsked = false;
  /** The first write that failed. The turn cannot continue without its log. */
  failure: unknown;
  /** Its agent is being ended while it waits. */
  isParking = false;
  /** The interaction whose answer the turn was started for. */
  resumes: string | undefined;
  /** Answers whose tool call has no result in the agent's stream yet, by tool call. */
  readonly unconfirmed = new UnconfirmedAnswers();
  /** Tool calls whose result was returned to their caller. A call with the same id in this turn is a different call. */
  readonly given = new Set<string>();
  /** Answers that were handed to the agent and that it has not confirmed. */
  readonly handedOver = new Set<string>();
  /**
   * In a turn that was taken over: interactions that its agent has not asked about again, so no one can receive their
   * answers.
   */
  readonly unasked = new Set<string>();
  /**
   * Interactions of an earlier run that a request has taken up. Any other request is a different call, whatever it
   * asks.
   */
  readonly takenUp = new Set<string>();
  /** Ends the turn without its agent, some time after a stop was requested. */
  forceTimer: Disposable | undefined;
  /** Its model does not respond, and its agent retries. */
  isRetrying = false;
  /** The usage that its agent has reported. */
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

  /**
   * Whether it was stopped before an agent received it. An agent that already runs in its host has to be stopped or
   * ended.
   */
  get needsNoAgent(): boolean {
    return this.signal.aborted && this.startedBy !== "attach";
  }

  get stopRequest(): StopRequest | undefined {
    return this.#stop;
  }

  /** Nothing more may be written for the turn, whatever its agent still does. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Requests a stop. False if one was requested before. */
  requestStop(reason: string): boolean {
    if (this.#stop) return false;
    this.#stop = { reason };
    this.calls.end(reason);
    this.#stopping.abort(new DOMException(reason, "AbortError"));
    return true;
  }

  close(): void {
    // Before the turn is closed, so that its calls can still record their responses. If the turn never began, its calls
    // wait for another one.
    if (this.begun) this.calls.end("The turn has ended.");
    this.#closed = true;
  }

  /** Ends `outcomeOf` without waiting for the agent. */
  force(outcome: TurnOutcome = { result: { reason: "stopped" }, keepAgent: false }): void {
    this.#forced.resolve(outcome);
  }

  /** The agent's own result, unless the turn is forced to end first. */
  outcomeOf(work: Promise<TurnOutcome>): Promise<TurnOutcome> {
    return Promise.race([work, this.#forced.promise]);
  }
}
