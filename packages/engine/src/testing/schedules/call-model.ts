import type { Delivery } from "@holdpoint/protocol";

/*
 * The expected outcomes of calls of four tools, for any sequence of clients, people's actions, time and crashes. A
 * second implementation of the rules, without promises, stores or timers, to compare with random schedules.
 */

export type ToolKind =
  /** Waits for a person, even without any client. */
  | "patient"
  /** Fails when no one can answer; has a deadline, and accepts late answers. */
  | "strict"
  /** Stays open at its deadline. */
  | "mailer"
  /** Ends when every client has left. */
  | "leaver";

export type Outcome =
  | "approved"
  | "denied"
  | "queued"
  | "unavailable"
  | "timeout"
  | "cancelled"
  /** The store failed when it should have been asked. */
  | "refused"
  /** Its agent died with the gateway, or does not repeat the call. */
  | "lost";

/** `answered`: its message waits behind the session's running turn, or for a repeated call. */
export type Phase =
  | "pending"
  | "queued"
  | "expired"
  | "withdrawn"
  | "orphaned"
  | "answered"
  | "delivered";

export interface ModelCall {
  readonly kind: ToolKind;
  readonly session: number;
  phase: Phase;
  outcome: Outcome | undefined;
  said: "approved" | "denied" | undefined;
  /** How the agent got the answer. */
  how: Delivery | undefined;
  /** The time at which it fails, unless a client connects before. */
  failsAt: number;
  deadlineAt: number;
  /** The time at which it is given up, when its call was not repeated after a restart. */
  givenUpAt: number;
  /** Something has happened that withdraws its request in any case. */
  isTakenBack: boolean;
  /** It should end as queued. */
  isFinishing: boolean;
}

/** A call, as found on a disk. */
export interface FoundCall {
  readonly phase: Phase;
  readonly how: ModelCall["how"];
  readonly said: ModelCall["said"];
  /** Its answer is a queued message. */
  readonly isSaid: boolean;
  /** The end of the call is recorded: a repeated call would be a new one. */
  readonly isFinished: boolean;
}

export const GRACE_MS = 10_000;
/** Odd, so that no deadline coincides with the end of a grace. */
export const STRICT_MS = 60_456;
export const MAILER_MS = 30_123;

const timeoutMs: Readonly<Record<ToolKind, number>> = {
  patient: Infinity,
  strict: STRICT_MS,
  mailer: MAILER_MS,
  leaver: Infinity,
};

export type DismissExpectation = "done" | "INVALID_REQUEST" | "ALREADY_ANSWERED";

export type AnswerExpectation = "accepted" | "ALREADY_ANSWERED" | "WITHDRAWN";

export class CallModel {
  calls: ModelCall[] = [];
  clients: { connected: boolean; enabled: boolean }[];
  /** The monotonic clock: graces are durations. */
  #nowMs = 0;
  /** The wall clock's time when the monotonic clock is 0: deadlines are instants. */
  #wallOffsetMs = 0;
  #isAvailable = false;
  #allLeftAt = Infinity;

  /** The time that has passed. */
  get nowMs(): number {
    return this.#nowMs;
  }

  constructor(clientCount: number) {
    this.clients = Array.from({ length: clientCount }, () => ({ connected: false, enabled: true }));
  }

  setClient(index: number, change: Partial<{ connected: boolean; enabled: boolean }>): void {
    Object.assign(this.clients[index]!, change);
    if (this.#isAnswerable()) {
      this.#isAvailable = true;
      this.#allLeftAt = Infinity;
      for (const call of this.calls) call.failsAt = Infinity;
    } else if (this.#isAvailable && this.#allLeftAt === Infinity) {
      this.#allLeftAt = this.#nowMs + GRACE_MS;
    }
  }

  call(kind: ToolKind, session: number): void {
    this.calls.push({
      kind,
      session,
      phase: "pending",
      outcome: undefined,
      said: undefined,
      how: undefined,
      failsAt: this.#failsAt(kind),
      deadlineAt: this.#nowMs + this.#wallOffsetMs + timeoutMs[kind],
      givenUpAt: Infinity,
      isTakenBack: false,
      isFinishing: false,
    });
  }

  /** The expected outcome of an answer to it. */
  expectationOf(index: number): AnswerExpectation {
    const call = this.calls[index]!;
    switch (call.phase) {
      case "pending":
        return hasLostItsWait(call) && !takesLateAnswers(call) ? "WITHDRAWN" : "accepted";
      case "orphaned":
        return takesLateAnswers(call) ? "accepted" : "WITHDRAWN";
      case "queued":
      case "expired":
        return "accepted";
      case "withdrawn":
        return "WITHDRAWN";
      case "answered":
      case "delivered":
        return "ALREADY_ANSWERED";
    }
  }

  answer(index: number, said: "approved" | "denied"): AnswerExpectation {
    const call = this.calls[index]!;
    const expected = this.expectationOf(index);
    if (expected !== "accepted") return expected;
    call.said = said;
    if (isWaiting(call)) take(call);
    else {
      // A late answer is a message, which does not wait for a call.
      if (call.phase !== "pending") call.givenUpAt = Infinity;
      call.phase = "answered";
    }
    return expected;
  }

  finishAsQueued(index: number): void {
    const call = this.calls[index]!;
    call.isFinishing = true;
    if (isWaiting(call)) end(call, "queued", "queued");
  }

  stop(session: number): void {
    for (const call of this.calls) {
      if (call.session !== session) continue;
      if (call.phase === "pending") call.isTakenBack = true;
      if (isWaiting(call)) end(call, "withdrawn", "cancelled");
    }
  }

  /** Late answers are no longer accepted. */
  dismiss(index: number): DismissExpectation {
    const call = this.calls[index]!;
    switch (call.phase) {
      case "expired":
      case "orphaned":
        if (!takesLateAnswers(call)) return "done";
        call.phase = "withdrawn";
        call.isTakenBack = true;
        return "done";
      case "withdrawn":
        return "done";
      case "pending":
      case "queued":
        return "INVALID_REQUEST";
      case "answered":
      case "delivered":
        return "ALREADY_ANSWERED";
    }
  }

  /** Sets the wall clock. No time passes. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  /**
   * Events at different instants never interfere: each affects different calls, or all remaining ones. Returns the
   * calls that reached their deadline.
   */
  advance(durationMs: number): number[] {
    const untilMs = this.#nowMs + durationMs;
    const due = [...this.calls.keys()].filter((index) =>
      this.#advanceCall(this.calls[index]!, untilMs),
    );
    if (this.#allLeftAt <= untilMs) {
      this.#isAvailable = false;
      this.#allLeftAt = Infinity;
    }
    this.#nowMs = untilMs;
    return due;
  }

  /** Returns true when it reached its deadline. */
  #advanceCall(call: ModelCall, untilMs: number): boolean {
    const { givenUpAt } = call;
    const isGivenUp = givenUpAt <= untilMs;
    if (isGivenUp) call.givenUpAt = Infinity;
    if (call.phase !== "pending") return false;
    const dueMs = call.deadlineAt - this.#wallOffsetMs;
    if (call.failsAt <= untilMs) end(call, "withdrawn", "unavailable");
    else if (isGivenUp && givenUpAt < dueMs) call.phase = "orphaned";
    else if (dueMs <= untilMs) {
      const phase = phaseAfterDeadline(call);
      end(call, phase, phase === "expired" ? "timeout" : "queued");
      return true;
    } else if (call.kind === "leaver" && isWaiting(call) && this.#allLeftAt <= untilMs) {
      end(call, "withdrawn", "unavailable");
    }
    return false;
  }

  /** Call it after each step: messages are delivered when nothing runs any longer. */
  settle(): void {
    const isBusy = (session: number) =>
      this.calls.some((call) => call.session === session && isWaiting(call));
    for (const call of this.calls) {
      if (call.phase !== "answered" || call.givenUpAt !== Infinity || isBusy(call.session)) {
        continue;
      }
      call.phase = "delivered";
      call.how = "user_message";
    }
  }

  /**
   * The process has died, and another one starts with the given data. Returns the calls that are repeated: those
   * whose agent still waits, if it repeats calls at all.
   */
  restart(found: readonly FoundCall[], agentsCallAgain: boolean): number[] {
    this.clients = this.clients.map(() => ({ connected: false, enabled: true }));
    this.#isAvailable = false;
    this.#allLeftAt = Infinity;
    return this.calls.flatMap((call, index) => {
      const row = found[index]!;
      repair(call, row, this.#nowMs + this.#wallOffsetMs);
      if (call.outcome !== undefined && call.outcome !== "lost") return [];
      const isClosed = call.phase === "withdrawn" || call.phase === "orphaned";
      const canComeAgain = call.outcome !== "lost" && !isClosed;
      if (canComeAgain && agentsCallAgain && !row.isFinished) return [index];
      call.outcome = "lost";
      const isOpen = call.phase === "pending" || call.phase === "answered";
      if (isOpen) call.givenUpAt = this.#nowMs + GRACE_MS;
      return [];
    });
  }

  /** Its session was in doubt: from here on it has the gateway's state. */
  takeOver(index: number, seen: Pick<ModelCall, "phase" | "how" | "said" | "outcome">): void {
    const never = { failsAt: Infinity, givenUpAt: Infinity };
    Object.assign(this.calls[index]!, seen, never);
  }

  /** Repeats the same call after a restart. */
  comeAgain(index: number): void {
    const call = this.calls[index]!;
    switch (call.phase) {
      case "pending":
        call.failsAt = this.#failsAt(call.kind);
        return;
      case "answered":
      case "delivered":
        take(call);
        return;
      case "queued":
        call.outcome = "queued";
        return;
      case "expired":
        call.outcome = "timeout";
        return;
      case "orphaned":
      case "withdrawn":
        throw new Error(`A call came again that was ${call.phase}.`);
    }
  }

  #failsAt(kind: ToolKind): number {
    return kind === "strict" && !this.#isAnswerable() ? this.#nowMs + GRACE_MS : Infinity;
  }

  #isAnswerable(): boolean {
    return this.clients.some(({ connected, enabled }) => connected && enabled);
  }
}

/** Whether its agent waits for a person. */
function isWaiting({ phase, outcome }: ModelCall): boolean {
  return phase === "pending" && outcome === undefined;
}

/**
 * It is pending although its agent has continued without it, after a failed write. A lost agent may repeat its call.
 */
export function hasLostItsWait({ phase, outcome }: ModelCall): boolean {
  return phase === "pending" && outcome !== undefined && outcome !== "lost";
}

function end(call: ModelCall, phase: Phase, outcome: Outcome): void {
  call.phase = phase;
  call.outcome ??= outcome;
}

/** Its agent receives the answer. */
function take(call: ModelCall): void {
  call.phase = "delivered";
  call.how = "resumed";
  call.outcome = call.said;
}

/** Only the mailer's handler decides about its deadline. */
function takesLateAnswers({ kind }: ModelCall): boolean {
  return kind !== "mailer";
}

function phaseAfterDeadline({ kind }: ModelCall): "expired" | "queued" {
  return kind === "strict" ? "expired" : "queued";
}

/** The repairs of a gateway at its start. */
function repair(call: ModelCall, found: FoundCall, nowMs: number): void {
  const { phase, how, said, isSaid, isFinished } = found;
  call.phase = phase;
  call.how = how;
  call.isFinishing = false;
  call.failsAt = Infinity;
  call.givenUpAt = Infinity;
  call.said = said;
  if (phase === "answered" && isSaid) {
    call.phase = "delivered";
    call.how = "user_message";
  }
  if (phase !== "pending") return;
  if (call.deadlineAt <= nowMs) call.phase = phaseAfterDeadline(call);
  // Its handler has ended, and the gateway died before recording that: no call will be repeated.
  else if (isFinished) call.phase = "orphaned";
}
