import { expect, test } from "vitest";

import { shellWords } from "./shell-words.ts";

const NONE = {};
const wordsOf = (command: string, variables = NONE) => [
  ...(shellWords(command, variables)?.words ?? []),
];

const doubling = (count: number) =>
  `A=aaaaaaaaaaaaaaaa;${Array.from({ length: count }, (_, at) => {
    const last = at === 0 ? "$A" : `$B${at - 1}`;
    return `B${at}=${last}${last}`;
  }).join(";")}`;

/** The cost of each grew with the square of its length or faster, in time or in memory. */
const BOMBS: Readonly<Record<string, (size: number) => string>> = {
  "a variable that is never closed": (size) => `echo \${${"A".repeat(size)}`,
  "the same in four substitutions": (size) => `echo ${"$(".repeat(4)}\${${"A".repeat(size)}`,
  "many variables that are never closed": (size) => "${A".repeat(size / 3),
  "variables that double each other": (size) => doubling(Math.min(40, size / 100)),
  "the same in quotes": (size) => `sh -c "${doubling(Math.min(40, size / 100))}"`,
  "braces without a choice": (size) => "{}".repeat(size / 2),
  "braces that are never closed": (size) => "{".repeat(size),
  "braces with empty choices": (size) => "{,".repeat(size / 2),
  "closed braces in a long word": (size) => `{${"a".repeat(size / 2)},${"b}".repeat(size / 4)}`,
  "a choice beside a long text": (size) => `${"a".repeat(size / 2)}{${"1,".repeat(size / 4)}}`,
  "a long sequence": () => "cat {1..999999999}{1..999999999}",
  "quotes in quotes": (size) => `'"`.repeat(size / 2),
  "a command in each substitution": (size) => "$(a ".repeat(size / 4),
  "escapes of a backslash": (size) => "\\".repeat(size),
  "signs that lead to a path": (size) => "=:,@".repeat(size / 4),
  "ansi quotes that are never closed": (size) => "$'\\x4".repeat(size / 5),
};

test("[R-20] a command is read in time and memory that grow with its length", () => {
  for (const [name, make] of Object.entries(BOMBS)) {
    const started = process.threadCpuUsage().user;
    const before = process.memoryUsage().heapUsed;
    shellWords(make(64_000), NONE);
    const megabytes = (process.memoryUsage().heapUsed - before) / 1024 ** 2;
    expect([
      name,
      (process.threadCpuUsage().user - started) / 1000 < 3000,
      megabytes < 200,
    ]).toEqual([name, true, true]);
  }
});

test("[R-5] a command that expands into too much text has no words, so that a person is asked", () => {
  expect(shellWords(doubling(23), NONE)).toBeUndefined();
  expect(shellWords(`cat ${"$HUGE".repeat(100)}`, { HUGE: "x".repeat(60_000) })).toBeUndefined();
  expect(shellWords(`cat ${"{a,b}".repeat(30)}`, NONE)).toBeUndefined();
  expect(shellWords("cat {1..100000}", NONE)).toBeUndefined();
  expect(shellWords("{".repeat(1000), NONE)).toBeUndefined();
});

test("braces and variables stand for everything that a shell expands them to", () => {
  expect(wordsOf("cat a{b,c}d")).toEqual(expect.arrayContaining(["abd", "acd"]));
  expect(wordsOf("cat {a,{b,c}d}")).toEqual(expect.arrayContaining(["a", "bd", "cd"]));
  expect(wordsOf("cat {a,{b,c}")).toEqual(expect.arrayContaining(["{a,b", "{a,c"]));
  expect(wordsOf("cat x}{a,b}")).toEqual(expect.arrayContaining(["x}a", "x}b"]));
  expect(wordsOf("cat {a..c}{08..10}")).toEqual(expect.arrayContaining(["a08", "b09", "c10"]));
  expect(wordsOf("cat {h..h}oldpoint {3..1..2}")).toEqual(
    expect.arrayContaining(["holdpoint", "3", "1"]),
  );
  expect(wordsOf("find . -exec cat {} +")).toContain("{}");
  expect(wordsOf("cat {,a}b")).toEqual(expect.arrayContaining(["b", "ab"]));
  expect(wordsOf("cat $A/x ${A}/y ${A:-z}/z ${A ${}", { A: "/a" })).toEqual(
    expect.arrayContaining(["/a/x", "/a/y", "/a/z"]),
  );
});
