import type { RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { awaitEvent, rejectionCodeOf, startAsking, type Clients } from "./transport-harness.ts";

const ANSWERS: RespondBody = {
  action: "submit",
  answers: [
    { questionId: "q1", selected: ["o2"] },
    { questionId: "q2", selected: ["o1", "o2"], other: "Pepper" },
  ],
};

const NO_DIGEST = "0".repeat(64);

export function describeInteractions(connect: () => Promise<Clients>): void {
  describe("responses", () => {
    test("[R-16] a response is accepted, reaches the agent, and is stored as given", async () => {
      const { one, other } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      const { interactionId } = interaction;
      const result = await other.respond(interactionId, ANSWERS);
      expect(result).toMatchObject({
        status: "accepted",
        interaction: { interactionId, status: "answered", response: ANSWERS },
      });
      const said = await awaitEvent(one, sessionId, "assistant_message");
      expect(JSON.parse(said.text)).toMatchObject(ANSWERS);
      await awaitEvent(one, sessionId, "interaction_delivered");
      const stored = await one.getInteraction(interactionId);
      expect(stored).toMatchObject({ status: "delivered", how: "resumed", response: ANSWERS });
      expect(stored.by).toMatchObject({ clientId: "client-two" });
    });

    test("[R-1] [R-16] the loser of a race gets the winning response", async () => {
      const { one, other } = await connect();
      const { interaction } = await startAsking(one, "ask");
      const { interactionId } = interaction;
      const reply: RespondBody = { action: "submit", reply: "Neither." };
      const results = await Promise.all([
        one.respond(interactionId, ANSWERS),
        other.respond(interactionId, reply),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(["accepted", "refused"]);
      const winner = results.find((result) => result.status === "accepted");
      const loser = results.find((result) => result.status === "refused");
      const { response, by } = winner!.interaction;
      expect(loser!.problem).toMatchObject({ code: "ALREADY_ANSWERED", status: 409 });
      expect(loser!.problem.winner).toEqual({ ...response, by });
    });

    test("[R-1] [R-16] the same idempotency key wins again with the same response, and with no other", async () => {
      const { one } = await connect();
      const { interaction } = await startAsking(one, "ask");
      const body = { ...ANSWERS, idempotencyKey: "key-of-one-response" };
      await one.respond(interaction.interactionId, body);
      const again = await one.respond(interaction.interactionId, body);
      expect(again).toMatchObject({ status: "accepted", interaction: { response: ANSWERS } });
      const changed = { action: "cancel", idempotencyKey: body.idempotencyKey } as const;
      expect(await one.respond(interaction.interactionId, changed)).toMatchObject({
        problem: { code: "ALREADY_ANSWERED", winner: ANSWERS },
      });
    });

    test("[R-11] [R-16] an invalid response is refused with its fields and leaves it pending", async () => {
      const { one } = await connect();
      const { interaction } = await startAsking(one, "ask");
      const { interactionId } = interaction;
      const answers = [{ questionId: "q1", selected: ["o9"] }];
      const result = await one.respond(interactionId, { action: "submit", answers });
      expect(result).toMatchObject({
        status: "refused",
        problem: {
          code: "INVALID_RESPONSE",
          status: 422,
          fieldErrors: { "answers.q1": expect.any(String), "answers.q2": expect.any(String) },
        },
      });
      expect(await one.getInteraction(interactionId)).toMatchObject({ status: "pending" });
    });

    test("[R-6] [R-16] an approval of something else is refused; with the digest the edit runs", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "approve");
      const { interactionId, approval } = interaction;
      const wrong = await one.respond(interactionId, { action: "approve", digest: "other" });
      expect(wrong).toMatchObject({ status: "refused", problem: { code: "DIGEST_MISMATCH" } });
      const digest = approval!.digest;
      const editedInput = { path: "b.txt" };
      const right = await one.respond(interactionId, { action: "approve", digest, editedInput });
      expect(right).toMatchObject({
        status: "accepted",
        interaction: { response: { action: "approve", approvalScope: "once", editedInput } },
      });
      const said = await awaitEvent(one, sessionId, "assistant_message");
      expect(JSON.parse(said.text)).toEqual(editedInput);
    });

    test("[R-16] a response to a withdrawn or expired interaction is refused with that reason", async () => {
      const { one } = await connect();
      const stopped = await startAsking(one, "ask");
      await one.stopTurn(stopped.sessionId);
      await awaitEvent(one, stopped.sessionId, "turn_ended");
      expect(await one.respond(stopped.interaction.interactionId, ANSWERS)).toMatchObject({
        status: "refused",
        problem: { code: "WITHDRAWN", status: 410 },
      });
      const { sessionId, interaction } = await startAsking(one, "expire");
      await awaitEvent(one, sessionId, "interaction_closed");
      expect(await one.respond(interaction.interactionId, { action: "deny" })).toMatchObject({
        status: "refused",
        problem: { code: "EXPIRED", status: 410 },
      });
    });

    test("[R-16] only an interaction that no one answered in time can be dismissed", async () => {
      const { one } = await connect();
      const pending = await startAsking(one, "ask");
      const dismiss = (interactionId: string) => one.dismissInteraction(interactionId);
      expect(await rejectionCodeOf(dismiss(pending.interaction.interactionId))).toBe(
        "INVALID_REQUEST",
      );
      expect(await rejectionCodeOf(dismiss("int_unknown"))).toBe("NOT_FOUND");
      const { sessionId, interaction } = await startAsking(one, "expire");
      await awaitEvent(one, sessionId, "interaction_closed");
      // It does not accept a late answer in any case.
      expect(await dismiss(interaction.interactionId)).toMatchObject({ status: "expired" });
    });

    test("[R-16] an answer that the agent has cannot be taken back", async () => {
      const { one } = await connect();
      const { interaction } = await startAsking(one, "ask");
      const { interactionId } = interaction;
      const answered = await one.respond(interactionId, { ...ANSWERS, undoMs: 5000 });
      const answeredAt = answered.status === "accepted" ? (answered.interaction.by?.at ?? "") : "";
      const undo = (id: string) => one.undoResponse(id, { answeredAt });
      expect(await rejectionCodeOf(undo(interactionId))).toBe("ALREADY_ANSWERED");
      expect(await rejectionCodeOf(undo("int_unknown"))).toBe("NOT_FOUND");
    });

    test("[R-16] the inbox lists open requests by status and session", async () => {
      const { one } = await connect();
      const first = await startAsking(one, "ask");
      const second = await startAsking(one, "approve");
      const ids = async (query?: Parameters<typeof one.listInteractions>[0]): Promise<string[]> =>
        (await one.listInteractions(query)).items.map(({ interactionId }) => interactionId);
      const { interactionId } = first.interaction;
      expect(await ids()).toEqual([interactionId, second.interaction.interactionId]);
      const { sessionId } = second;
      expect(await ids({ sessionId })).toEqual([second.interaction.interactionId]);
      await one.respond(interactionId, ANSWERS);
      await awaitEvent(one, first.sessionId, "interaction_delivered");
      expect(await ids({ status: ["answered", "delivered"] })).toEqual([interactionId]);
    });
  });

  describe("responses by tool call", () => {
    test("[R-16] submitAnswers takes labels by id, index or text", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      const answers = { q1: "Blue", 1: ["Milk", "Salt, oat"] };
      const result = await one.submitAnswers(sessionId, interaction.toolCallId, answers);
      expect(result).toMatchObject({
        status: "accepted",
        interaction: {
          response: {
            action: "submit",
            answers: [
              { questionId: "q1", selected: ["o2"] },
              { questionId: "q2", selected: ["o1", "o2"] },
            ],
          },
        },
      });
    });

    test("[R-16] submitAnswers refuses unknown questions and missing answers", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      const result = await one.submitAnswers(sessionId, interaction.toolCallId, { q9: "Blue" });
      expect(result).toMatchObject({
        status: "refused",
        problem: { code: "INVALID_RESPONSE", fieldErrors: { "answers.q9": expect.any(String) } },
      });
    });

    test("[R-16] approveTool approves the stored input, once", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "approve");
      const result = await one.approveTool(
        sessionId,
        interaction.toolCallId,
        interaction.approval!.digest,
      );
      const response = { action: "approve", approvalScope: "once" };
      expect(result).toMatchObject({ status: "accepted", interaction: { response } });
      const said = await awaitEvent(one, sessionId, "assistant_message");
      expect(JSON.parse(said.text)).toEqual({ path: "a.txt" });
    });

    test("[R-6] [R-16] approveTool approves nothing without the digest of the shown input", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "approve");
      const { interactionId, toolCallId } = interaction;
      const approve = (digest: unknown) => one.approveTool(sessionId, toolCallId, digest as string);
      expect(await approve(NO_DIGEST)).toMatchObject({ problem: { code: "DIGEST_MISMATCH" } });
      expect(await approve("")).toMatchObject({ problem: { code: "DIGEST_MISMATCH" } });
      for (const none of [undefined, null, 1]) {
        expect(await rejectionCodeOf(approve(none))).toBe("BAD_REQUEST");
      }
      expect(await one.getInteraction(interactionId)).toMatchObject({ status: "pending" });
      await one.denyTool(sessionId, toolCallId);
    });

    test("[R-16] denyTool denies, with or without a reason", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "approve");
      const result = await one.denyTool(sessionId, interaction.toolCallId, "Not there.");
      const response = { action: "deny", reason: "Not there." };
      expect(result).toMatchObject({ status: "accepted", interaction: { response } });
      const said = await awaitEvent(one, sessionId, "assistant_message");
      expect(said.text).toBe("denied: Not there.");
      const second = await startAsking(one, "approve");
      const bare = await one.denyTool(second.sessionId, second.interaction.toolCallId);
      expect(bare).toMatchObject({ interaction: { response: { action: "deny" } } });
    });

    test("[R-16] a tool call without a pending request is NOT_FOUND", async () => {
      const { one } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      expect(
        await rejectionCodeOf(one.approveTool(sessionId, interaction.toolCallId, NO_DIGEST)),
      ).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.denyTool(sessionId, "call-unknown"))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.submitAnswers(sessionId, "call-unknown", {}))).toBe(
        "NOT_FOUND",
      );
    });
  });

  describe("interaction mode", () => {
    test("[R-13] [R-16] a client with interaction switched off cannot answer, and others can", async () => {
      const { one, other } = await connect();
      const { sessionId, interaction } = await startAsking(one, "approve");
      const { interactionId, toolCallId } = interaction;
      expect(await one.setInteractionMode(false)).toBeUndefined();
      const deny: RespondBody = { action: "deny" };
      expect(await rejectionCodeOf(one.respond(interactionId, deny))).toBe("INTERACTION_DISABLED");
      expect(await rejectionCodeOf(one.approveTool(sessionId, toolCallId, NO_DIGEST))).toBe(
        "INTERACTION_DISABLED",
      );
      expect(await one.getInteraction(interactionId)).toMatchObject({ status: "pending" });
      expect(await other.respond(interactionId, deny)).toMatchObject({ status: "accepted" });
      await one.setInteractionMode(true);
      const next = await startAsking(one, "approve");
      const result = await one.respond(next.interaction.interactionId, deny);
      expect(result).toMatchObject({ status: "accepted" });
    });
  });
}
