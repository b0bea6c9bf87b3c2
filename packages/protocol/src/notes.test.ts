import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { foldInteraction } from "./interaction-event.ts";
import type { InteractionEvent, InteractionInput } from "./interaction-input.ts";
import { transition } from "./interaction-life.ts";
import type { Interaction } from "./interaction.ts";
import { NOTE_LIMITS } from "./limits.ts";
import type { Note } from "./note.ts";
import { sampleInteraction } from "./testing/sample-interaction.ts";
import { said, voter } from "./testing/voters.ts";

const at = "2026-01-01T00:00:30.000Z";
const [ada, bob] = [voter("ada"), voter("bob")];
const two = { responders: { circles: [], need: 2 } };

function note(who: typeof ada, what: Note, when = at): InteractionInput {
  const by = { person: who.signIn!.subject, personId: who.personId!, client: "phone", at: when };
  return { type: "note", note: what, by };
}
const comment = (who: typeof ada, text: string) => note(who, { type: "comment", text });
const inMs = (ms: number) => new Date(Date.parse(at) + ms).toISOString();

function asked(patch: Partial<Interaction> = {}): Interaction {
  return sampleInteraction({ startedAt: "2026-01-01T00:00:00.000Z", ...patch });
}

function after(first: Interaction, ...inputs: InteractionInput[]): Interaction {
  return inputs.reduce((interaction, input) => {
    const next = transition(interaction, input);
    if (next.status !== "moved") throw new Error(next.reason);
    return next.interaction;
  }, first);
}

test("[R-5] a comment changes only the notes: not the status, deadline or votes, and wakes no agent", () => {
  const before = asked({ ...two, deadlineAt: inMs(60_000) });
  const next = transition(before, comment(ada, "Which database?"));
  expect(next).not.toHaveProperty("effect");
  expect(next).toMatchObject({ event: { type: "interaction_note", notesGiven: 1 } });
  const { notes, ...rest } = next.status === "moved" ? next.interaction : before;
  expect(rest).toEqual(before);
  expect(notes).toMatchObject({ given: 1, comments: [{ text: "Which database?" }] });
});

test("[R-3] comments and reminders are refused at or after the deadline", () => {
  const late = asked({ deadlineAt: at });
  expect(transition(late, comment(ada, "?"))).toMatchObject({ reason: "deadline_passed" });
});

test("[R-20] comments are bounded: per person, for the program and in total", () => {
  const many = (who: typeof ada, count: number) =>
    Array.from({ length: count }, (_, index) => comment(who, `${index}`));
  const own = after(asked(), ...many(ada, NOTE_LIMITS.commentsOfOne));
  expect(transition(own, comment(ada, "more"))).toMatchObject({ reason: "notes_full" });
  expect(transition(own, comment(ada, "0"))).toMatchObject({ reason: "already_noted" });
  // Others have room, and so does a comment with the same text.
  expect(transition(own, comment(bob, "0"))).toMatchObject({ status: "moved" });
  const program: Note = { type: "comment", text: "0", program: true };
  expect(transition(own, note(ada, program))).toMatchObject({ status: "moved" });
  const people = Array.from({ length: NOTE_LIMITS.comments / NOTE_LIMITS.commentsOfOne }, (_, at) =>
    many(voter(`p${at}`), NOTE_LIMITS.commentsOfOne),
  );
  const full = after(asked(), ...people.flat());
  expect(transition(full, comment(ada, "mine"))).toMatchObject({ reason: "notes_full" });
});

test("[R-20] only one reminder is accepted in five minutes, from anyone", () => {
  const first = after(asked(), note(ada, { type: "reminder" }));
  const again = (afterMs: number) =>
    transition(first, note(bob, { type: "reminder" }, inMs(afterMs)));
  expect(again(NOTE_LIMITS.remindEveryMs - 1)).toMatchObject({ reason: "already_noted" });
  expect(again(NOTE_LIMITS.remindEveryMs)).toMatchObject({
    interaction: { notes: { reminded: { times: 2, by: { person: "bob" } } } },
  });
});

describe("with votes", () => {
  test("comments between votes change no vote, and stay with the answer", () => {
    const yes = (who: typeof ada) => said(who, "approve", at);
    const voted = after(asked(two), yes(ada), comment(bob, "Are you sure?"), comment(ada, "Yes."));
    expect(voted).toMatchObject({ status: "pending", votesGiven: 1, notes: { given: 2 } });
    expect(after(voted, yes(bob))).toMatchObject({ status: "answered", notes: { given: 2 } });
  });

  test("[R-5] the no that settles a request drops a yes that no longer counts, and the log records it", () => {
    const voted = after(asked({ responders: { circles: [], need: 3 } }), said(ada, "approve", at));
    const no = said(bob, "deny", at, { uncounted: [ada.personId!] });
    const next = transition(voted, no);
    if (next.status !== "moved") throw new Error(next.reason);
    expect(next.interaction).toMatchObject({ status: "answered", votes: [] });
    expect(foldInteraction(voted, { ...next.event, seq: 2 } as InteractionEvent)).toEqual(
      next.interaction,
    );
    // A vote that counts stays.
    expect(after(voted, said(bob, "deny", at)).votes).toMatchObject([{ person: "ada" }]);
  });
});

test("[R-10] any walk with notes and votes folds to the same record, and no event undoes another", async ({
  annotate,
}) => {
  const who = fc.constantFrom(ada, bob, voter("eve"));
  const input: fc.Arbitrary<InteractionInput> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(who, fc.string()).map(([one, text]) => comment(one, text)) },
    { weight: 2, arbitrary: who.map((one) => said(one, "approve", at, { undoMs: 5000 })) },
    who.map((one) => note(one, { type: "hand_over", to: { group: one.signIn!.subject } })),
    who.map((one) => note(one, { type: "reminder" })),
    fc.constantFrom<InteractionInput>(
      { type: "park", at },
      { type: "hold", at },
      { type: "orphan", at, reason: "gone" },
      { type: "reopen", by: { person: "ada", client: "phone", at }, to: "pending" },
    ),
  );
  let noted = 0;
  fc.assert(
    fc.property(fc.array(input, { maxLength: 20 }), (inputs) => {
      let moved = asked(two);
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
      }
      noted += moved.notes?.given ?? 0;
    }),
    { numRuns: 500 },
  );
  expect(noted).toBeGreaterThan(500);
  await annotate(`${noted} notes`, "cases");
});
