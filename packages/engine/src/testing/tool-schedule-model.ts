/*
 * What calls of four tools must come to, whatever clients come and go, persons say and time passes. A second telling of
 * the rules, without promises, stores or timers, for random schedules to be compared with.
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

export type Outcome = "approved" | "denied" | "queued" | "unavailable" | "timeout" | "cancelled";

/** `answered`: its message waits behind the session's running turn. */
export type Phase = "pending" | "queued" | "expired" | "withdrawn" | "answered" | "delivered";

export interface ModelCall {
  readonly kind: ToolKind;
  readonly session: number;
  phase: Phase;
  outcome: Outcome | undefined;
  /** How the agent got the answer. */
  how: "resumed" | "user_message" | undefined;
  /** When it fails, unless somebody comes before. */
  failsAt: number;
  deadlineAt: number;
}

export const GRACE_MS = 10_000;
export const STRICT_MS = 60_000;
export const MAILER_MS = 30_000;

export type AnswerExpectation = "accepted" | "ALREADY_ANSWERED" | "WITHDRAWN";

export class ScheduleModel {
  readonly calls: ModelCall[] = [];
  readonly clients: { connected: boolean; enabled: boolean }[];
  #nowMs = 0;
  #isAvailable = false;
  #allLeftAt = Infinity;

  constructor(clientCount: number) {
    this.clients = Array.from({ length: clientCount }, () => ({ connected: false, enabled: true }));
  }

  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  get messages(): number {
    return this.calls.filter(({ how }) => how === "user_message").length;
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
    const failsAt = kind === "strict" && !this.#isAnswerable() ? this.#nowMs + GRACE_MS : Infinity;
    const timeoutMs = { patient: Infinity, strict: STRICT_MS, mailer: MAILER_MS, leaver: Infinity };
    this.calls.push({
      kind,
      session,
      phase: "pending",
      outcome: undefined,
      how: undefined,
      failsAt,
      deadlineAt: this.#nowMs + timeoutMs[kind],
    });
  }

  answer(index: number, outcome: "approved" | "denied"): AnswerExpectation {
    const call = this.calls[index]!;
    switch (call.phase) {
      case "pending":
        end(call, "delivered", outcome);
        call.how = "resumed";
        return "accepted";
      case "queued":
      case "expired":
        call.phase = "answered";
        return "accepted";
      case "withdrawn":
        return "WITHDRAWN";
      case "answered":
      case "delivered":
        return "ALREADY_ANSWERED";
    }
  }

  finishAsQueued(index: number): void {
    const call = this.calls[index]!;
    if (call.phase === "pending") end(call, "queued", "queued");
  }

  stop(session: number): void {
    for (const call of this.calls) {
      if (call.session === session && call.phase === "pending") end(call, "withdrawn", "cancelled");
    }
  }

  /** Nothing that happens at different instants meets: each acts on calls of its own, or on all that are left. */
  advance(durationMs: number): void {
    const untilMs = this.#nowMs + durationMs;
    for (const call of this.calls) {
      if (call.phase !== "pending") continue;
      if (call.failsAt <= untilMs) end(call, "withdrawn", "unavailable");
      else if (call.deadlineAt <= untilMs && call.kind === "strict")
        end(call, "expired", "timeout");
      else if (call.deadlineAt <= untilMs) end(call, "queued", "queued");
      else if (call.kind === "leaver" && this.#allLeftAt <= untilMs) {
        end(call, "withdrawn", "unavailable");
      }
    }
    if (this.#allLeftAt <= untilMs) {
      this.#isAvailable = false;
      this.#allLeftAt = Infinity;
    }
    this.#nowMs = untilMs;
  }

  /** To be called after each step: messages are said where nothing runs any more. */
  settle(): void {
    const isBusy = (session: number) =>
      this.calls.some((call) => call.session === session && call.phase === "pending");
    for (const call of this.calls) {
      if (call.phase !== "answered" || isBusy(call.session)) continue;
      call.phase = "delivered";
      call.how = "user_message";
    }
  }

  #isAnswerable(): boolean {
    return this.clients.some(({ connected, enabled }) => connected && enabled);
  }
}

function end(call: ModelCall, phase: Phase, outcome: Outcome): void {
  call.phase = phase;
  call.outcome = outcome;
}
