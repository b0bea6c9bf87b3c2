import * as fc from "fast-check";
import { expect, test } from "vitest";

import { defaultGrantKey, exactHashOf, grantHashOf } from "./grant-key.ts";

const call = (input: Record<string, unknown>, toolName = "delete_files", cwd = "/work") =>
  defaultGrantKey({ toolName, input, cwd });

test("[R-15] a comma in a name is not a separator", () => {
  expect(call({ files: ["a", "b,c"] })).not.toBe(call({ files: ["a,b", "c"] }));
});

test("[R-15] different calls have different keys, and equal ones the same, for any input", () => {
  const nasty = fc.constantFrom("", ",", '"', "\\", "\u0000", "a", "b,c", "__proto__", "1");
  const text = fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 4 }));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.constantFrom(null, true, false, 0, 1, -1, 0.1, 1e21),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  const calls = fc.record({
    toolName: text,
    cwd: text,
    input: fc.dictionary(text, json, { maxKeys: 3 }),
  });
  const same = (one: unknown, other: unknown): boolean => {
    try {
      expect(JSON.parse(JSON.stringify(one))).toStrictEqual(JSON.parse(JSON.stringify(other)));
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(calls, calls, (one, other) => {
      expect(defaultGrantKey(one)).toBe(defaultGrantKey({ ...structuredClone(one) }));
      expect(defaultGrantKey(one) === defaultGrantKey(other)).toBe(same(one, other));
    }),
    { numRuns: 1000 },
  );
});

test("[R-15] a key is not valid for another tool, another agent, or a single input", () => {
  const key = call({ files: ["a"] });
  const hashes = [
    grantHashOf({ agent: "claude", toolName: "delete_files" }, key),
    grantHashOf({ agent: "demo", toolName: "delete_files" }, key),
    grantHashOf({ agent: "claude", toolName: "read_files" }, key),
    exactHashOf({ agent: "claude", toolName: "delete_files" }, key),
    grantHashOf({ agent: "claude", toolName: "delete_files" }, `${key} `),
    grantHashOf({ agent: "claude", toolName: "any", family: "delete_files" }, key),
    grantHashOf({ agent: "demo", toolName: "any", family: "delete_files" }, key),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
