import { expect, test } from "vitest";

import { GRAMMARS, toGrammar } from "./grammars.ts";
import { tokenize } from "./tokenize.ts";

const kindsOf = async (code: string, language: string) => {
  const tokens = (await tokenize(code, language)) ?? [];
  expect(tokens.map(({ text }) => text).join("")).toBe(code);
  return Object.fromEntries(
    tokens.flatMap(({ text, kind }) => (kind === undefined ? [] : [[text.trim(), kind]])),
  );
};

test.each([
  ["ts", "const due = 'soon'; // later", { const: "keyword", "// later": "comment" }],
  ["tsx", "export const a = <b>{1}</b>;", { export: "keyword" }],
  ["python", "def pay(bill):\n    return 1", { def: "keyword", pay: "function" }],
  ["bash", 'echo "$HOME" # home', { "# home": "comment" }],
  ["json", '{"a": true}', { true: "constant" }],
  ["yaml", "a: 1 # one", { "# one": "comment" }],
  ["css", "a { color: red } /* red */", { "/* red */": "comment" }],
  ["go", "package main // go", { "// go": "comment" }],
  ["rust", "fn main() {} // rust", { "// rust": "comment" }],
  ["java", "class A {} // java", { "// java": "comment" }],
  ["sql", "SELECT a FROM b -- all", { SELECT: "keyword" }],
  ["html", "<!-- hidden -->", { "<!-- hidden -->": "comment" }],
  ["c", "int a; // c", { "// c": "comment" }],
  ["diff", "-a\n+b", { "+b": "string" }],
])("%s has colours", async (language, code, expected) => {
  expect(await kindsOf(code, language)).toMatchObject(expected);
});

test("a dozen languages are recognised by their common names, and no others", () => {
  expect(Object.keys(GRAMMARS).length).toBeGreaterThanOrEqual(12);
  expect(toGrammar("TypeScript")).toBe("tsx");
  for (const name of ["", "brainfuck", "constructor", "__proto__", "toString"]) {
    expect(toGrammar(name)).toBeUndefined();
  }
});

test("a token over several lines keeps its colour, and lines that are too long have none", async () => {
  const code = `/* one\ntwo */\n${"x=1;".repeat(500)}\nconst a = 1;`;
  const tokens = await tokenize(code, "ts");
  expect(tokens?.map(({ text }) => text).join("")).toBe(code);
  expect(tokens?.[0]).toEqual({ text: "/* one", kind: "comment" });
  expect(tokens?.find(({ text }) => text === "two */")?.kind).toBe("comment");
  expect(tokens?.some(({ text, kind }) => kind === undefined && text.length > 1900)).toBe(true);
  expect(tokens?.some(({ text, kind }) => text.trim() === "const" && kind === "keyword")).toBe(
    true,
  );
});
