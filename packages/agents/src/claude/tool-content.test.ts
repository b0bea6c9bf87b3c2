import { expect, test } from "vitest";

import { toResultText } from "./tool-content.ts";

test.each([
  ["text", "plain", "plain"],
  ["nothing", undefined, ""],
  [
    "text blocks",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    "a\nb",
  ],
  [
    "an image",
    [
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "x".repeat(4096) },
      },
    ],
    "[image: image/png, 3 KiB]",
  ],
  ["a block of another kind", [{ type: "tool_reference", tool_name: "x" }], "[tool_reference]"],
  ["an object", { a: 1 }, '{"a":1}'],
])("%s becomes text", (_, content, text) => {
  expect(toResultText(content)).toBe(text);
});
