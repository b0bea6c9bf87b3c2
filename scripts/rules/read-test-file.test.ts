import { describe, expect, test } from "vitest";

import { readTestFile } from "./read-test-file.ts";

function asserted(source: string): readonly string[] {
  return readTestFile("some.test.ts", source).asserted;
}

describe("an assertion of a test file", () => {
  test.each([
    ["a comparison", `expect(problem.code).toBe("EXPIRED")`],
    ["a part of an object", `expect(answer).toMatchObject([{ problem: { code: "EXPIRED" } }])`],
    ["a promise", `await expect(call()).rejects.toMatchObject({ code: "EXPIRED" })`],
    ["a table of cases", `test.each([["late", "EXPIRED"]])("%s", run)`],
    ["a table with a name", `const CASES = [["late", "EXPIRED"]]; test.for(CASES)("%s", run)`],
  ])("is the value it compares with: %s", (_, source) => {
    expect(asserted(source)).toContain("EXPIRED");
  });

  test.each([
    ["what it sends", `await fail(new ProtocolError("EXPIRED", "gone"))`],
    ["what it filters by", `codes.filter((code) => code !== "EXPIRED")`],
    ["what must not be", `expect(code).not.toBe("EXPIRED")`],
    ["what it says in a comment", `// "EXPIRED"\nexpect(code).toBe(other)`],
  ])("is not %s", (_, source) => {
    expect(asserted(source)).not.toContain("EXPIRED");
  });
});

test("titles of tests and suites count, other texts do not", () => {
  const source = `describe("[R-1] one", () => {
    test.for(EVERY)("[R-2] two on %s", async () => { say("[R-3]"); });
    test(\`[R-4] \${count} times\`, run);
  });`;
  const titles = readTestFile("some.test.ts", source).titles.join();
  expect(["R-1", "R-2", "R-3", "R-4"].filter((rule) => titles.includes(`[${rule}]`))).toEqual([
    "R-1",
    "R-2",
    "R-4",
  ]);
});
