import type { Delivery } from "@holdpoint/protocol";

/*
 * What calls of four tools must come to, whatever clients come and go, persons say, time passes and processes die. A
 * second telling of the rules, without promises, stores or timers, for random schedules to be compared with.
 */

export type ToolKind =
  /** Waits for a person, whoever is here. */
  | "patient"
  /** Fails when nobody can answer; has a deadline, and takes late answers. */
  | "strict"
  /** Stays open at its deadline. */
  | "mailer"
  /** Ends when everybody has left. */
  | "leaver";

export type Outcome =
  | "approved"
  | "denied"
  | "queued"
  | "unavailable"
  | "timeout"
  | "cancelled"
  /** The store failed when it was to be asked. */
  | "refused"
  /** Its agent died with the gateway, or does not call again. */
  | "lost";

/** `answered`: its message waits behind the session's running turn, or for the call that may come again. */
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
  /** When it fails, unless somebody comes before. */
  failsAt: number;
  deadlineAt: number;
  /** Its call has not come again after a restart: when it is given up. */
  givenUpAt: number;
  /** Something has happened that takes back what was asked, whoever comes. */
  isTakenBack: boolean;
  /** It is to end as queued. */
  isFinishing: boolean;
}

/** A call as a disk has it. */
export interface FoundCall {
  readonly phase: Phase;
  readonly how: ModelCall["how"];
  readonly said: ModelCall["said"];
  /** Its answer is a message that waits for its turn. */
  readonly isSaid: boolean;
  /** The call's end is noted: coming again it would be another one. */
  readonly isFinished: boolean;
}

export const GRACE_MS = 10_000;
/** Odd, so that no deadline meets the end of a grace. */
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
  /** What the wall clock says when the other says 0: deadlines are instants. */
  #wallOffsetMs = 0;
  #isAvailable = false;
  #allLeftAt = Infinity;

  /** How much time has passed. */
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

  /** What becomes of an answer to it. */
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
      // A late answer is a message, which waits for no call.
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

  /** Late answers are not wanted. */
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

  /** The wall clock is set. No time passes. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  /**
   * Nothing that happens at different instants meets: each acts on calls of its own, or on all that are left. Says which
   * calls came to their deadline.
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

  /** True when it came to its deadline. */
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

  /** To be called after each step: messages are said where nothing runs any more. */
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
   * The process has died, and another one runs over what was found. Says which calls come again: where the agent still
   * waits, if it calls again at all.
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

  /** Its session was in doubt: from here on it is where the gateway has it. */
  takeOver(index: number, seen: Pick<ModelCall, "phase" | "how" | "said" | "outcome">): void {
    const never = { failsAt: Infinity, givenUpAt: Infinity };
    Object.assign(this.calls[index]!, seen, never);
  }

  /** The same call, after a restart. */
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

/** Whether its agent waits for a person now. */
function isWaiting({ phase, outcome }: ModelCall): boolean {
  return phase === "pending" && outcome === undefined;
}

/** It is pending, and its agent has gone on without it: a write has failed. An agent that is lost may come again. */
export function hasLostItsWait({ phase, outcome }: ModelCall): boolean {
  return phase === "pending" && outcome !== undefined && outcome !== "lost";
}

function end(call: ModelCall, phase: Phase, outcome: Outcome): void {
  call.phase = phase;
  call.outcome ??= outcome;
}

/** Its agent has what was said. */
function take(call: ModelCall): void {
  call.phase = "delivered";
  call.how = "resumed";
  call.outcome = call.said;
}

/** The mailer's handler decides about its deadline, and nobody else. */
function takesLateAnswers({ kind }: ModelCall): boolean {
  return kind !== "mailer";
}

function phaseAfterDeadline({ kind }: ModelCall): "expired" | "queued" {
  return kind === "strict" ? "expired" : "queued";
}

/** What a gateway makes at its start of what it finds. */
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
  // Its handler has ended, and the gateway died before it said so: nothing comes back to it.
  else if (isFinished) call.phase = "orphaned";
}
