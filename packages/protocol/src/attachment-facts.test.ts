import { describe, expect, test } from "vitest";

import { ATTACHMENT_LIMITS, checkAttachment, toAttachmentName } from "./index.ts";
import { sampleImages } from "./testing/sample-images.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const { gif, jpeg, pdf, png, webp, webpLossless, webpLossy } = sampleImages;

describe("the facts of a file", () => {
  test.each([
    ["a PNG", png(300, 200), { mediaType: "image/png", width: 300, height: 200 }],
    ["a JPEG", jpeg(300, 200), { mediaType: "image/jpeg", width: 300, height: 200 }],
    ["a GIF", gif(300, 200), { mediaType: "image/gif", width: 300, height: 200 }],
    ["a WebP", webp(300, 200), { mediaType: "image/webp", width: 300, height: 200 }],
    ["a lossy WebP", webpLossy(300, 200), { mediaType: "image/webp", width: 300, height: 200 }],
    ["a lossless WebP", webpLossless(9, 8), { mediaType: "image/webp", width: 9, height: 8 }],
    ["a PDF", pdf, { mediaType: "application/pdf" }],
    ["text", encode("Grüße,\r\n\tAda\f"), { mediaType: "text/plain" }],
    ["HTML", encode("<!doctype html><script>alert(1)</script>"), { mediaType: "text/plain" }],
    ["SVG", encode("<svg onload='alert(1)'/>"), { mediaType: "text/plain" }],
  ])("%s is recognised by its bytes", (_, bytes, facts) => {
    expect(checkAttachment(bytes)).toEqual({ facts });
  });

  test.each([
    ["nothing", encode(""), "empty"],
    ["a program", Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 0), "unknown_type"],
    ["text that is not UTF-8", Uint8Array.of(0x47, 0xfc, 0x6e), "unknown_type"],
    ["text with a character 0", encode("a\0b"), "unknown_type"],
    ["a PNG that is cut off", png(3, 2).subarray(0, 20), "unknown_type"],
    ["a JPEG without a frame", jpeg(3, 2).subarray(0, 12), "unknown_type"],
    ["a WebP of an unknown form", encode("RIFF0000WEBPVP9 0123456789012345678"), "unknown_type"],
    ["an image of no height", png(3, 0), "unknown_type"],
    ["an image that is very wide", png(10_001, 1), "too_many_pixels"],
    ["a small file with very many pixels", png(9000, 9000), "too_many_pixels"],
    ["a long text", new Uint8Array(ATTACHMENT_LIMITS.textBytes + 1).fill(65), "text_too_large"],
    ["a large file", new Uint8Array(ATTACHMENT_LIMITS.messageBytes + 1), "too_large"],
  ])("[R-20] %s is refused", (_, bytes, problem) => {
    expect(checkAttachment(bytes)).toEqual({ problem });
  });

  test("no JPEG can make the search for its size run long", () => {
    const { messageBytes } = ATTACHMENT_LIMITS;
    const fills = new Uint8Array(messageBytes).fill(0xff);
    fills.set([0xff, 0xd8, 0xff]);
    expect(checkAttachment(fills)).toEqual({ problem: "unknown_type" });
    const empty = new Uint8Array(1000);
    empty.set([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0]);
    expect(checkAttachment(empty)).toEqual({ problem: "unknown_type" });
  });
});

describe("the name of a file", () => {
  test.each([
    ["plan.pdf", "plan.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ada\\plan.pdf", "plan.pdf"],
    ["..", "file"],
    ["/", "file"],
    [" \u202Egnp.exe ", "gnp.exe"],
    ["a\u0000b\nc.png", "a b c.png"],
    ["\u200B\uD800.", "file"],
    ["Maße 3.png", "Maße 3.png"],
    ["計画.txt", "計画.txt"],
  ])("%j becomes %j", (given, name) => {
    expect(toAttachmentName(given)).toBe(name);
  });

  test("is short, and keeps its ending", () => {
    const name = toAttachmentName(`${"x".repeat(1000)}.png`);
    expect(name).toHaveLength(120);
    expect(name).toMatch(/^x+…x+\.png$/);
  });
});
