import { createHash } from "node:crypto";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { digestOf } from "./digest.ts";

const base = { tool: "Bash", input: { command: "ls", a: 1 }, cwd: "/w", sessionId: "ses_1" };

test("[R-6] is the SHA-256 of the canonical JSON", () => {
  const text = '{"cwd":"/w","input":{"a":1,"command":"ls"},"sessionId":"ses_1","tool":"Bash"}';
  expect(digestOf(base)).toBe(createHash("sha256").update(text).digest("hex"));
});

test("[R-6] does not depend on the order of keys", () => {
  expect(digestOf({ ...base, input: { a: 1, command: "ls" } })).toBe(digestOf(base));
});

test("[R-6] depends on every part", () => {
  const others = [
    { ...base, tool: "bash" },
    { ...base, cwd: "/w/" },
    { ...base, sessionId: "ses_2" },
    { ...base, input: { command: "ls ", a: 1 } },
    { ...base, input: { command: "ls", a: "1" } },
    { ...base, input: { command: "ls" } },
    { ...base, input: { command: "ls", a: 1, b: null } },
  ];
  const digests = new Set([base, ...others].map(digestOf));
  expect(digests.size).toBe(others.length + 1);
});

test("[R-6] survives a round trip through JSON, as through a store", () => {
  const input = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue());
  fc.assert(
    fc.property(input, (value) => {
      const copy = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      expect(digestOf({ ...base, input: copy })).toBe(digestOf({ ...base, input: value }));
    }),
  );
});

test("[R-6] accepts halves of surrogate pairs, which JSON can carry, and distinguishes them", () => {
  const commands = [
    "\uD800",
    "\uDC00",
    "a\uD800",
    "\uFFFD",
    '"\\ud800"',
    "\\ud800",
    "\uD83D\uDE00",
  ];
  const inputs: Record<string, unknown>[] = [
    ...commands.map((command) => ({ command })),
    ...commands.map((name) => ({ [name]: "ls" })),
    { command: ["\uD800"] },
  ];
  const digests = new Set(inputs.map((input) => digestOf({ ...base, input })));
  expect(digests.size).toBe(inputs.length);
  const half = { command: "\uD800", a: { b: [1, "\uDFFF"] } };
  const copy = JSON.parse(JSON.stringify({ a: half.a, command: half.command })) as typeof half;
  expect(digestOf({ ...base, input: copy })).toBe(digestOf({ ...base, input: half }));
});
