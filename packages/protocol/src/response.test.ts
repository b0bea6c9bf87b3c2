import { describe, expect, test } from "vitest";

import { createSessionBodySchema, respondBodySchema, sendMessageBodySchema } from "./index.ts";

describe("respond body", () => {
  test("accepts an answer with both ticks and free text", () => {
    const body = {
      action: "submit",
      answers: [{ questionId: "q1", selected: ["q1o2"], other: "tea" }],
    };
    expect(respondBodySchema.parse(body)).toEqual(body);
  });

  test.each([
    ["an unknown action", { action: "maybe" }],
    ["an unknown key", { action: "approve", force: true }],
    [
      "an unknown key inside an answer",
      { action: "submit", answers: [{ questionId: "q", selected: [], x: 1 }] },
    ],
    ["an answer that is not a list", { action: "submit", answers: { q1: "Yes" } }],
    ["an unknown scope", { action: "approve", approvalScope: "forever" }],
    ["an edited input that is not an object", { action: "approve", editedInput: ["rm"] }],
    ["a key that is too short to be unique", { action: "deny", idempotencyKey: "1" }],
    ["no action", {}],
  ])("[R-11] refuses %s", (_, body) => {
    expect(respondBodySchema.safeParse(body).success).toBe(false);
  });
});

test("a message of only white space is refused", () => {
  expect(sendMessageBodySchema.safeParse({ content: " \n\t" }).success).toBe(false);
});

test("a session's title is trimmed and may not be empty", () => {
  expect(createSessionBodySchema.parse({ agent: "demo", title: "  Hi " }).title).toBe("Hi");
  expect(createSessionBodySchema.safeParse({ agent: "demo", title: "  " }).success).toBe(false);
});
