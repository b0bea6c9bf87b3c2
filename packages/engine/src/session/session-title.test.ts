import { expect, test } from "vitest";

import { titleFromMessage } from "./session-title.ts";

test("is the first line", () => {
  expect(titleFromMessage("\n  Fix   the build\nand the tests")).toBe("Fix the build");
});

test("has at most 60 characters and never half a one", () => {
  const title = titleFromMessage("🦊".repeat(100));
  expect(Array.from(title)).toHaveLength(60);
  expect(title).toBe(`${"🦊".repeat(59)}…`);
  expect(titleFromMessage("x".repeat(60))).toBe("x".repeat(60));
});

test("is cut between words, if a word ends near enough", () => {
  const words = "Please look at the failing tests of the billing module and mend them";
  expect(titleFromMessage(words)).toBe(
    "Please look at the failing tests of the billing module and…",
  );
  const long = `Open ${"x".repeat(80)} now`;
  expect(titleFromMessage(long)).toBe(`Open ${"x".repeat(54)}…`);
});

test.each([
  ["a heading", "# Fix the build\n\nIt fails.", "Fix the build"],
  ["a list", "- one\n- two", "one"],
  ["a quotation", "> it says so", "it says so"],
  ["code", "```ts\nconst a = 1;\n```\nWhat is this?", "const a = 1;"],
  ["a line of dashes", "---\n\nWhat next?", "What next?"],
  ["a picture", "🦊", "🦊"],
  ["a command of the agent", "/review src", "/review src"],
  ["a line separator", "one\u2028two", "one"],
])("of a message that begins with %s is the text of that", (_, message, title) => {
  expect(titleFromMessage(message)).toBe(title);
});

test("is empty for invisible text, and takes no time for a very long one", () => {
  expect(titleFromMessage("\u200B\u200B\n\u2800")).toBe("");
  expect(Array.from(titleFromMessage("word ".repeat(2_000_000))).length).toBeLessThanOrEqual(60);
});
