import {
  ProtocolError,
  type Caller,
  type Interaction,
  type RespondBody,
  type RespondResult,
} from "@holdpoint/protocol";
import { expect } from "vitest";

import { ada, bob } from "../gateway-fixture.ts";
import { talkSession, type PlainStepOf } from "./schedule-steps.ts";
import type { Schedule } from "./schedule.ts";

/** The result of a response: `accepted`, or the code of the problem. */
export interface Reply {
  readonly code: string;
  readonly result: RespondResult | undefined;
}

/** People's responses, each compared with the model's expectation. */
export class SchedulePersons {
  readonly #schedule: Schedule;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Picks a call and its interaction for a step, most often one of the latest. */
  async #pick(pick: number): Promise<{ index: number; interaction: Interaction } | undefined> {
    if (this.#schedule.calls.length === 0) return undefined;
    const index = this.#schedule.calls.length - 1 - (pick % this.#schedule.calls.length);
    const { interaction } = await this.#schedule.row(index);
    return { index, interaction };
  }

  async answer({ client, call, approve }: PlainStepOf<"answer">): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index, interaction } = picked;
    const { caller } = this.#schedule.process.clients[client]!;
    const body = approve ? approvalOf(interaction) : ({ action: "deny" } as const);
    const isEnabled = this.#schedule.model.clients[client]!.enabled;
    const { code } = await this.respond(caller, interaction, body);
    if (this.#schedule.isDiskBroken && code === "STORE_UNAVAILABLE") return;
    const expected = isEnabled
      ? this.#schedule.model.answer(index, approve ? "approved" : "denied")
      : "INTERACTION_DISABLED";
    if (this.#schedule.process.store.isDead) return;
    this.#schedule.ledger.check("R-13", () => expect(code).toBe(expected));
  }

  /** Two people without a page answer at once. */
  async race(call: number): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index, interaction } = picked;
    const bodies = [approvalOf(interaction), { action: "deny" } as const];
    const persons = [ada, bob];
    const replies = await Promise.all(
      bodies.map((body, person) => this.respond(persons[person]!, interaction, body)),
    );
    const codes = replies.map(({ code }) => code);
    const winner = codes.indexOf("accepted");
    const first = this.#schedule.model.answer(index, winner === 0 ? "approved" : "denied");
    const second = this.#schedule.model.answer(index, "denied");
    this.#schedule.ledger.check("R-1", () => {
      expect(codes.toSorted()).toEqual([first, second].toSorted());
      if (winner < 0) return;
      const loser = replies[1 - winner]!.result;
      expect(loser).toMatchObject({
        problem: {
          winner: {
            action: bodies[winner]!.action,
            by: { person: persons[winner]!.person },
          },
        },
      });
    });
  }

  async dismiss(call: number): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index, interaction } = picked;
    const dismissed = this.#schedule.process.gateway.dismissInteraction(
      ada,
      interaction.interactionId,
    );
    const came = await dismissed.then(
      () => "done",
      (error: unknown) => (ProtocolError.isInstance(error) ? error.code : String(error)),
    );
    const expected = this.#schedule.model.dismiss(index);
    this.#schedule.ledger.check("R-5", () => expect(came).toBe(expected));
  }

  async talkNonsense(call: number): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index: place, interaction } = picked;
    const { digest } = approvalOf(interaction);
    const isOpen = this.#schedule.model.expectationOf(place) === "accepted";
    const bodies: RespondBody[] = [
      { action: "submit", values: {} },
      { action: "approve", digest, approvalScope: "always" },
      { action: "approve", digest: "0".repeat(64) },
      { action: "approve" },
    ];
    for (const [index, body] of bodies.entries()) {
      const { code } = await this.respond(ada, interaction, body);
      const refusal = index === 2 ? "DIGEST_MISMATCH" : "INVALID_RESPONSE";
      this.#schedule.ledger.check(index === 2 ? "R-6" : "R-11", () =>
        expect(isOpen ? [refusal] : ["WITHDRAWN", "ALREADY_ANSWERED"]).toContain(code),
      );
    }
  }

  async replyTo(prompt: number): Promise<void> {
    const sessionId = this.#schedule.sessions[talkSession]!;
    const asked = await this.#schedule.process.store.listInteractions({
      statuses: ["pending", "orphaned"],
      sessionId,
      limit: 1000,
    });
    const { interaction } = asked.items[prompt % Math.max(1, asked.items.length)] ?? {};
    if (!interaction) return;
    const body: RespondBody =
      interaction.kind === "approval"
        ? { ...approvalOf(interaction), approvalScope: "session" }
        : { action: "submit", answers: [{ questionId: "q1", selected: ["r"] }] };
    const { code } = await this.respond(ada, interaction, body);
    if (this.#schedule.isDiskBroken && code === "STORE_UNAVAILABLE") return;
    if (!this.#schedule.process.store.isDead) expect(code).toBe("accepted");
  }

  async respond(caller: Caller, interaction: Interaction, body: RespondBody): Promise<Reply> {
    const { interactionId } = interaction;
    const said = this.#schedule.said.get(interactionId) ?? new Set();
    this.#schedule.said.set(interactionId, said.add(body.action));
    try {
      const result = await this.#schedule.process.gateway.respond(caller, interactionId, body);
      if (result.status === "refused") return { code: result.problem.code, result };
      this.#schedule.acknowledged.set(interactionId, body.action);
      return { code: "accepted", result };
    } catch (error: unknown) {
      if (ProtocolError.isInstance(error)) return { code: error.code, result: undefined };
      throw error;
    }
  }
}

export function approvalOf({ approval }: Interaction): { action: "approve"; digest: string } {
  return { action: "approve", digest: approval!.digest };
}
