import { expect, test } from "vitest";

import { toToolContent } from "./tool-content.ts";

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
    "a document",
    [
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "x".repeat(4096) },
      },
    ],
    "[document: application/pdf, 3 KiB]",
  ],
  [
    "an image at an address",
    [{ type: "image", source: { type: "url", url: "https://example.com/x.png" } }],
    "[image at an address, not loaded]",
  ],
  ["an image without anything", [{ type: "image" }], "[image]"],
  ["a block of another kind", [{ type: "tool_reference", tool_name: "x" }], "[tool_reference]"],
  ["an object", { a: 1 }, '{"a":1}'],
])("%s becomes text", (_, content, text) => {
  expect(toToolContent(content)).toEqual({ content: text });
});

test("pictures are kept next to the text, in the formats of models and of MCP servers", () => {
  const blocks = [
    { type: "text", text: "before" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    { type: "text", text: "after" },
    { type: "image", mimeType: "image/png", data: "BBBB" },
  ];
  expect(toToolContent(blocks)).toEqual({
    content: "before\nafter",
    pictures: ["AAAA", "BBBB"],
  });
});
