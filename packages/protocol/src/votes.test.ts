import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { foldInteraction } from "./interaction-event.ts";
import type { InteractionEvent, InteractionInput } from "./interaction-input.ts";
import { transition } from "./interaction-life.ts";
import type { Interaction } from "./interaction.ts";
import type { Responders } from "./responders.ts";
import { HOME, said, voter } from "./testing/voters.ts";

const startedAt = "2026-01-01T00:00:00.000Z";
const at = "2026-01-01T00:00:30.000Z";
const [ada, bob, eve] = [voter("ada"), voter("bob"), voter("eve")];

function asked(responders: Responders, patch: Partial<Interaction> = {}): Interaction {
  return {
    interactionId: "int_1",
    sessionId: "ses_1",
    turnId: "trn_1",
    toolCallId: "t1",
    toolName: "deploy",
    kind: "approval",
    status: "pending",
    approval: {
      input: {},
      cwd: "/",
      display: {},
      digest: "d1",
      scopes: ["once"],
      scopeText: {},
      editable: false,
    },
    attempt: 1,
    presentation: "tool",
    startedAt,
    onTimeout: "wait",
    hold: "held",
    responders,
    ...patch,
  };
}

function after(first: Interaction, ...inputs: InteractionInput[]): Interaction {
  return inputs.reduce((interaction, input) => {
    const next = transition(interaction, input);
    if (next.status !== "moved") throw new Error(next.reason);
    return next.interaction;
  }, first);
}

const yes = (who: typeof ada, more = {}) => said(who, "approve", at, more);
const no = (who: typeof ada) => said(who, "deny", at);
const needs = (need: number) => asked({ circles: [], need });

describe("when several people have to approve", () => {
  test("[R-5] the last required vote settles the request, and the agent gets nothing before it", () => {
    const first = transition(needs(3), yes(ada));
    expect(first).toMatchObject({
      status: "moved",
      interaction: { status: "pending", votesGiven: 1 },
      event: { type: "interaction_vote", digest: "d1", by: { personId: ada.personId } },
    });
    expect(first).not.toHaveProperty("effect");
    const second = after(needs(3), yes(ada), yes(bob));
    expect(second).toMatchObject({ status: "pending" });
    expect(second).not.toHaveProperty("response");
    const third = transition(second, yes(eve));
    expect(third).toMatchObject({ effect: "wake", interaction: { status: "answered" } });
    const who =
      third.status === "moved" ? third.interaction.votes?.map((vote) => vote.personId) : [];
    expect(who).toEqual([ada, bob, eve].map(({ personId }) => personId));
  });

  test("[R-1] one person has one vote, on any number of devices", () => {
    const voted = after(needs(2), yes(ada));
    const again = yes(ada);
    const other = { ...again, by: { ...again.by, client: "laptop", clientId: "another" } };
    for (const input of [again, other]) {
      expect(transition(voted, input)).toEqual({ status: "refused", reason: "already_voted" });
    }
  });

  test("[R-5] one no settles the request, even from someone who said yes before", () => {
    for (const who of [ada, bob]) {
      expect(after(needs(3), yes(ada), no(who))).toMatchObject({
        status: "answered",
        response: { action: "deny" },
      });
    }
  });

  test("[R-5] a vote of a person who could no longer say yes does not count", () => {
    const uncounted = [ada.personId ?? ""];
    const second = after(needs(2), yes(ada), yes(bob, { uncounted }));
    expect(second).toMatchObject({ status: "pending", votesGiven: 2 });
    expect(second.votes?.map(({ personId }) => personId)).toEqual([bob.personId]);
    expect(after(second, yes(eve))).toMatchObject({ status: "answered" });
  });

  test("[R-5] a person without a sign-in at an issuer cannot vote, and neither can a grant", () => {
    const by = { person: "ada", client: "laptop", at };
    const response = { action: "approve" as const, grantId: "gnt_1" };
    for (const responders of [
      { circles: [], need: 2 },
      { circles: [{ who: [{ group: "ops", issuer: HOME }] }] },
      { circles: [], requesters: [] },
      { circles: [], blocked: "too_few" as const },
    ]) {
      expect(transition(asked(responders), { type: "respond", response, by })).toEqual({
        status: "refused",
        reason: "not_responder",
      });
    }
  });

  test("[R-3] a vote at or after the deadline is refused", () => {
    const late = asked({ circles: [], need: 2 }, { deadlineAt: at });
    expect(transition(late, yes(ada))).toMatchObject({ reason: "deadline_passed" });
  });

  test("taking back a response takes back the votes", () => {
    const parked = asked({ circles: [], need: 2 }, { hold: "parked" });
    const answered = after(parked, yes(ada), yes(bob, { undoMs: 5000 }));
    const by = { person: "bob", client: "phone", at };
    const reopened = after(answered, { type: "reopen", by, to: "pending" });
    expect(reopened).toMatchObject({ status: "pending", hold: "parked", reopenings: 1 });
    expect(reopened).not.toHaveProperty("votes");
    expect(after(reopened, yes(ada))).toMatchObject({ status: "pending" });
  });
});

test("[R-10] [R-5] any walk with votes folds to the same record, and approves only after the required number of people", async ({
  annotate,
}) => {
  const who = fc.constantFrom(ada, bob, eve);
  const input: fc.Arbitrary<InteractionInput> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(who, fc.subarray([ada.personId!, bob.personId!]))
        .map(([one, uncounted]) => yes(one, { uncounted, undoMs: 5000 })),
    },
    { weight: 1, arbitrary: who.map(no) },
    fc.constantFrom<InteractionInput>(
      { type: "park", at },
      { type: "hold", at },
      { type: "queue", at },
      { type: "orphan", at, reason: "gone" },
      { type: "deliver", at, how: "resumed", turnId: "trn_2" },
      { type: "reopen", by: { person: "ada", client: "phone", at }, to: "pending" },
    ),
  );
  let settled = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 3 }),
      fc.array(input, { maxLength: 16 }),
      (need, inputs) => {
        let moved = needs(need);
        let folded = moved;
        const events: InteractionEvent[] = [];
        for (const step of inputs) {
          const next = transition(moved, step);
          if (next.status === "refused") continue;
          events.push({ ...next.event, seq: events.length + 1 } as InteractionEvent);
          moved = next.interaction;
          folded = foldInteraction(folded, events.at(-1)!);
          expect(folded).toEqual(moved);
          for (const old of events) expect(foldInteraction(folded, old)).toBe(folded);
          if (next.event.type !== "interaction_response") continue;
          if (moved.response?.action !== "approve") continue;
          settled += 1;
          expect(new Set(moved.votes?.map(({ personId }) => personId)).size).toBe(need);
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(settled).toBeGreaterThan(20);
  await annotate(`${settled} settled by several people`, "cases");
});
