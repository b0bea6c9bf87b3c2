import { expect } from "vitest";

import type { AgentCall } from "./agent-call.ts";
import { GRACE_MS, hasLostItsWait, type ModelCall } from "./call-model.ts";
import type { CallRow } from "./schedule-rows.ts";
import type { Schedule } from "./schedule.ts";

/** The time within which a gateway retries every failed write. */
export const RETRIES_MS = 4000;
/** The longest delay that a failed write may cause: an agent may first have to repeat its call. */
const HELD_UP_MS = GRACE_MS + RETRIES_MS;

/**
 * Sessions with a failed write. The model does not know how far the gateway got: until such a session is quiet, its
 * calls are only checked for unconditional rules and for delays. Then the model continues from the actual state.
 */
export class Doubts {
  readonly #schedule: Schedule;
  readonly #sessions = new Set<string>();
  /** Delayed item → the start of its delay. */
  readonly #heldUp = new Map<string, number>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  begin(sessionIds: Iterable<string>): void {
    for (const sessionId of sessionIds) this.#sessions.add(sessionId);
  }

  /** Another gateway has started, which repairs everything but calls whose agents continued without an answer. */
  endWithProcess(): void {
    for (const sessionId of this.#sessions) {
      const calls = this.#callsOf(sessionId);
      if (!calls.some(({ model }) => hasLostItsWait(model))) this.#sessions.delete(sessionId);
    }
    this.#heldUp.clear();
  }

  /** Checks the calls of these sessions, and updates the model. Call it at each moment. */
  async check(): Promise<void> {
    for (const sessionId of this.#sessions) {
      const calls = this.#callsOf(sessionId);
      const isBusy = calls.some(({ call }) => call.outcome === undefined);
      const phases = new Set<string>();
      for (const { call, model, index } of calls) {
        const row = await this.#schedule.row(index);
        this.#judge(call, model, row);
        this.#checkProgress(call, row, { isBusy, isFinishing: model.isFinishing });
        const { phase, how, said } = row;
        this.#schedule.model.takeOver(index, { phase, how, said, outcome: call.outcome });
        phases.add(phase);
      }
      const session = await this.#schedule.process.store.getSession(sessionId);
      const isOver = !isBusy && !phases.has("pending") && !phases.has("answered");
      if (isOver && session?.status === "idle") this.#sessions.delete(sessionId);
    }
  }

  /** An agent gets its answer once; and a question exists until it is answered, or withdrawn for a reason. */
  #judge({ outcome }: AgentCall, { kind, isTakenBack }: ModelCall, row: CallRow): void {
    const { ledger } = this.#schedule;
    const { phase, how, said } = row;
    ledger.check("R-4", () => {
      if (outcome === "approved" || outcome === "denied") {
        expect({ phase, how, said }).toEqual({ phase: "delivered", how: "resumed", said: outcome });
      } else if (how === "resumed") expect([undefined, "lost"]).toContain(outcome);
      if (phase === "withdrawn" && (kind === "patient" || kind === "mailer")) {
        expect(isTakenBack).toBe(true);
      }
    });
  }

  /** Nothing that a failed write has delayed waits for ever. */
  #checkProgress(
    call: AgentCall,
    { phase, interaction }: CallRow,
    { isBusy, isFinishing }: { readonly isBusy: boolean; readonly isFinishing: boolean },
  ): void {
    const { ledger, model, process } = this.#schedule;
    const isAgentHere = call.outcome === undefined;
    const { deadlineAt = Infinity } = interaction;
    const isDue = new Date(deadlineAt).getTime() <= process.clock.now();
    const heldUp = {
      "its agent does not hear that the wait is over": isAgentHere && phase !== "pending",
      "it is not left open": phase === "pending" && isAgentHere && isFinishing,
      "it does not expire": phase === "pending" && isDue,
      "it waits for nobody": phase === "pending" && !isAgentHere && !isBusy,
      "its answer is not delivered": phase === "answered" && !isBusy,
    };
    for (const [what, isSo] of Object.entries(heldUp)) {
      const key = JSON.stringify([call.sessionId, call.toolCallId, what]);
      if (!isSo) {
        this.#heldUp.delete(key);
        continue;
      }
      const sinceMs = this.#heldUp.get(key) ?? model.nowMs;
      this.#heldUp.set(key, sinceMs);
      const isTooLate = model.nowMs - sinceMs > HELD_UP_MS;
      ledger.check("R-4", () => expect(isTooLate ? what : undefined).toBeUndefined());
    }
  }

  #callsOf(sessionId: string): { call: AgentCall; model: ModelCall; index: number }[] {
    const { calls, model } = this.#schedule;
    return calls.flatMap((call, index) =>
      call.sessionId === sessionId ? [{ call, model: model.calls[index]!, index }] : [],
    );
  }
}
