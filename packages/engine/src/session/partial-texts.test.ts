import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { AgentDelta } from "../ports/agent-adapter.ts";
import { PartialTexts, type PartialOffsets } from "./partial-texts.ts";

function delta(text: string, messageId = "m1"): AgentDelta {
  return { type: "text_delta", messageId, channel: "text", text };
}

interface Seen {
  offset: number;
  text: string;
}

function read(texts: PartialTexts, offsets: PartialOffsets = new Map()) {
  const result = texts.framesFrom(offsets);
  return { ...result, seen: result.frames.map(({ json }) => JSON.parse(json) as Seen) };
}

test("a follower that comes in the middle gets the text so far, and then only new text", () => {
  const texts = new PartialTexts();
  texts.add("trn_1", delta("Hel"));
  texts.add("trn_1", delta("lo"));
  const first = read(texts);
  expect(first.seen).toMatchObject([{ offset: 0, text: "Hello", messageId: "m1" }]);
  texts.add("trn_1", delta(" you"));
  expect(read(texts, first.offsets).seen).toMatchObject([{ offset: 5, text: " you" }]);
});

test("followers at the same place share one frame", () => {
  const texts = new PartialTexts();
  texts.add("trn_1", delta("Hello"));
  expect(read(texts).frames[0]).toBe(read(texts).frames[0]);
});

test("a text that has become too long stays unchanged: nothing is added after a gap", () => {
  const texts = new PartialTexts();
  const long = "x".repeat(4 * 1024 * 1024 - 10);
  for (const text of [long, "y".repeat(100), "z"]) texts.add("trn_1", delta(text));
  let shown = "";
  let offsets: PartialOffsets = new Map();
  for (let next = read(texts, offsets); next.seen.length > 0; next = read(texts, offsets)) {
    shown += next.seen.map(({ text }) => text).join("");
    ({ offsets } = next);
  }
  expect(shown === long).toBe(true);
});

test("a message that was logged is removed, and stays removed", () => {
  const texts = new PartialTexts();
  texts.add("trn_1", delta("Hel"));
  texts.add("trn_1", delta("Other", "m2"));
  texts.land({
    type: "assistant_message",
    at: "2026-01-01T00:00:00.000Z",
    messageId: "m1",
    text: "Hello",
    channel: "text",
  });
  texts.add("trn_1", delta("late"));
  expect(read(texts).seen).toMatchObject([{ messageId: "m2", text: "Other" }]);
});

test("[R-15] a message and a tool call with the same id are two texts", () => {
  const texts = new PartialTexts();
  texts.add("trn_1", delta("words", "x"));
  texts.add("trn_1", { type: "tool_call_delta", toolCallId: "x", toolName: "T", text: "{" });
  expect(read(texts).seen).toMatchObject([{ text: "words" }, { text: "{", toolName: "T" }]);
});

describe("any sequence of pieces and reads", () => {
  test("[R-7] add up to the whole text, in frames of bounded size", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.integer({ min: 1, max: 200_000 }).map((length) => "x".repeat(length)),
    );
    const steps = fc.array(fc.record({ piece, reads: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (list) => {
        const texts = new PartialTexts();
        let offsets: PartialOffsets = new Map();
        let whole = "";
        let seen = "";
        const catchUp = () => {
          for (;;) {
            const next = read(texts, offsets);
            offsets = next.offsets;
            if (next.seen.length === 0) return;
            for (const { offset, text } of next.seen) {
              expect(text.length).toBeLessThanOrEqual(64 * 1024);
              seen = seen.slice(0, offset) + text;
            }
          }
        };
        for (const step of list) {
          texts.add("trn_1", delta(step.piece));
          whole += step.piece;
          if (step.reads) catchUp();
        }
        catchUp();
        expect(seen === whole).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
