import { expect } from "vitest";

import type { AgentCall } from "./agent-call.ts";
import { GRACE_MS, hasLostItsWait, type ModelCall } from "./call-model.ts";
import type { CallRow } from "./schedule-rows.ts";
import type { Schedule } from "./schedule.ts";

/** Within this time a gateway tries again whatever it could not write. */
export const RETRIES_MS = 4000;
/** So long anything may take that a failed write has held up: an agent may come again first. */
const HELD_UP_MS = GRACE_MS + RETRIES_MS;

/**
 * Sessions in which a write has failed. How far the gateway came is not the model's to say: until nothing goes on in such a
 * session, its calls are judged by what must hold anyway, and by how long anything may take. Then the model goes on from
 * what there is.
 */
export class Doubts {
  readonly #schedule: Schedule;
  readonly #sessions = new Set<string>();
  /** What is held up → since when. */
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

  /** Another gateway has begun, which repairs all but calls whose agents went on without an answer. */
  endWithProcess(): void {
    for (const sessionId of this.#sessions) {
      const calls = this.#callsOf(sessionId);
      if (!calls.some(({ model }) => hasLostItsWait(model))) this.#sessions.delete(sessionId);
    }
    this.#heldUp.clear();
  }

  /** Judges the calls of these sessions, and tells the model where they are. To be called at each moment. */
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

  /** An agent has what was said to it, once; and a question is there until it is answered, or taken back for a reason. */
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

  /** Nothing waits for ever that a failed write has held up. */
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
