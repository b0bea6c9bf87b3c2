import type { AttachmentData, AttachmentType } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { toPromptContent } from "./prompt-content.ts";

const file = (name: string, mediaType: AttachmentType, data: string): AttachmentData => ({
  attachmentId: name,
  name,
  mediaType,
  bytes: 3,
  data,
});

test("files come before the text, in their order, each in Claude's format", () => {
  const attachments = [
    file("a.png", "image/png", "iVBO"),
    file("b.pdf", "application/pdf", "JVBE"),
    file("c.txt", "text/plain", "R3LDvMOfZQ=="),
  ];
  expect(toPromptContent({ content: "Look", attachments })).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } },
    {
      type: "document",
      title: "b.pdf",
      source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
    },
    {
      type: "document",
      title: "c.txt",
      source: { type: "text", media_type: "text/plain", data: "Grüße" },
    },
    { type: "text", text: "Look" },
  ]);
});

test("the name of a file is no mention, and a message without text has no empty text", () => {
  const attachments = [file("@.env", "text/plain", "YWJj")];
  expect(toPromptContent({ content: " ", attachments })).toMatchObject([
    { type: "document", title: String.raw`\@.env` },
  ]);
  expect(toPromptContent({ content: "Look" })).toBe("Look");
});
