import { describe, expect, test } from "vitest";

import { splitGrowingMarkdown } from "./markdown-blocks.ts";

describe("growing markdown", () => {
  test("settles before the last paragraph", () => {
    expect(splitGrowingMarkdown("One.\n\nTwo.\n\nThr")).toEqual({
      settled: "One.\n\nTwo.\n\n",
      rest: "Thr",
    });
  });

  test.each([
    ["an open fence", "```ts\na\n\nb\n\nc"],
    ["a fence within a longer fence", "````md\n```\n\na\n\nb\n```\n\nc"],
    ["a loose list", "- a\n\n- b\n\n- c"],
    ["a numbered list", "1. a\n\n2. b"],
    ["a paragraph inside a list item", "- a\n\n  more of a"],
    ["a table in its beginning", "| a |\n\n| b |"],
  ])("does not cut %s", (_name, text) => {
    expect(splitGrowingMarkdown(text)).toEqual({ settled: "", rest: text });
  });

  test("cuts after a closed fence", () => {
    expect(splitGrowingMarkdown("```\na\n```\n\nNow").rest).toBe("Now");
  });

  test("loses nothing, wherever the text ends", () => {
    const text = "# A\n\nb\n\n```\nc\n\nd\n```\n\ne\n\n- f\n\ng **h";
    for (let end = 0; end <= text.length; end += 1) {
      const { settled, rest } = splitGrowingMarkdown(text.slice(0, end));
      expect(settled + rest).toBe(text.slice(0, end));
    }
  });
});
