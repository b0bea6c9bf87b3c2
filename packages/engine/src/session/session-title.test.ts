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
