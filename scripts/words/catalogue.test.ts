import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { GERMAN } from "../../packages/web/src/words/german.ts";
import { findLiterals } from "./find-literals.ts";
import { SETTLED_WORDS } from "./settled-words.ts";
import { NOT_THE_WORD } from "./word-table.ts";

const TEXTS: readonly string[] = Object.keys(GERMAN);
const PAIRS = Object.entries(GERMAN);

const valuesIn = (text: string) => [...new Set(text.match(/\{\w+\}/gu))].toSorted();
const formsOf = (text: string) => text.split("|").length;

describe("the catalogue", () => {
  test("has each text once", async () => {
    const paths = globSync("packages/{react,web}/src/words/german/*.ts");
    const rooms = await Promise.all(paths.map((path) => import(resolve(path)) as Promise<object>));
    const texts = rooms.flatMap((room) => Object.values(room).flatMap((one) => Object.keys(one)));
    expect(texts.toSorted()).toEqual(TEXTS.toSorted());
  });

  test("has the same values and the same number of forms in both languages", () => {
    const differs = PAIRS.filter(
      ([english, german]) =>
        valuesIn(english).join() !== valuesIn(german).join() ||
        formsOf(english) !== formsOf(german) ||
        german.trim() !== german ||
        german === "",
    );
    expect(differs).toEqual([]);
  });

  test("uses the words of ARCHITECTURE.md", () => {
    // For a model, the person is its user.
    const wrong = TEXTS.filter((text) => !text.startsWith("The user ")).flatMap((text) =>
      NOT_THE_WORD.filter(({ instead }) => instead.test(text)).map(({ word }) => [text, word]),
    );
    expect(wrong).toEqual([]);
  });

  test.each(SETTLED_WORDS)("says “$words”, and nothing instead", ({ words, german, instead }) => {
    const inGerman: Readonly<Record<string, string>> = GERMAN;
    expect(inGerman[words]).toBe(german);
    expect(TEXTS.filter((text) => instead.test(text))).toEqual([]);
  });

  test("contains only texts that are used", () => {
    const code = files.map(({ source }) => source).join("\n");
    const unused = TEXTS.filter((text) => !code.includes(JSON.stringify(text)) && !isGiven(text));
    expect(unused).toEqual([]);
  });
});

/** Texts in the code of the gateway and its agents that the page only translates. */
const gateway = globSync("packages/{protocol,engine,agents,server}/src/**/*.ts")
  .map((path) => readFileSync(path, "utf8").replaceAll(/"\s*\+\s*["`]/gu, ""))
  .join("\n");
/** Composed of two texts: the text of a rule contains another text. */
const COMPOSED: ReadonlySet<string> = new Set(["A rule denies this: Deny, in {cwd}: {pattern}"]);
const isGiven = (text: string): boolean =>
  COMPOSED.has(text) ||
  text.split(/\{\w+\}/u).every((part) => gateway.includes(part.replace(/s?\.$|^: /u, "").trim()));

/** Files with texts outside the catalogue, each with its reason. */
const NO_TEXTS = new Map([
  ["check-message.ts", "a message to the agent, in the language of the agents' own instructions"],
  ["preview-document.ts", "a document, not a text"],
  ["device-label.ts", "the name that a device gets, which its person may change"],
  ["keep-tab-stops.ts", "selectors"],
  ["badge.ts", "a picture, and the product's name"],
]);

/** Code to type or paste, keys, and names. */
const CODE = [
  "Enter",
  "Esc",
  "npm run *",
  "Authorization: Bearer {}",
  "Claude Code",
  'claude mcp add --transport http holdpoint {} --header "Authorization: Bearer {}"',
];

const files = globSync("packages/{react,web}/src/**/*.{ts,tsx}")
  .filter((path) => !/\.test\.|\/testing\/|\/words\/|\.d\.ts$/u.test(path))
  .map((path) => ({ path, source: readFileSync(path, "utf8") }));

describe("every text that a person reads", () => {
  const known = new Set([...TEXTS, ...CODE]);
  const checked = files.filter(({ path }) => !NO_TEXTS.has(path.split("/").at(-1) ?? ""));

  test("is in the catalogue", () => {
    expect(checked.length).toBeGreaterThan(200);
    const found = checked.flatMap(({ path, source }) =>
      findLiterals(path, source, known).map(({ line, text }) => `${path}:${line} ${text}`),
    );
    expect(found).toEqual([]);
  });
});

describe("a literal text", () => {
  const find = (source: string) =>
    findLiterals("x.tsx", source, new Set(["Deny", "Show all {amount}"])).map(({ text }) => text);

  test.each([
    ["between tags", "const a = <p>Deny</p>;", ["Deny"]],
    ["in an attribute", `const a = <p aria-label="Never seen" />;`, ["Never seen"]],
    ["in a call", `announce("Never seen")`, ["Never seen"]],
    ["in a template", "const a = `Never seen by ${b}`;", ["Never seen by {}"]],
    ["of one word", `const a = { label: "Never" };`, ["Never"]],
  ])("%s is found", (_, source, expected) => expect(find(source)).toEqual(expected));

  test.each([
    `say("Deny")`,
    `say("Show all {amount}", { amount })`,
    `import a from "An import";`,
    `throw new Error("Never seen by anybody");`,
    `if (event.key === "Enter") go();`,
    `switch (event.key) { case "Enter": go(); }`,
    "const a = <p className={`hp-card hp-card-${b}`} data-x={1} />;",
    `const a = "hp-open";`,
    `type A = "Never seen";`,
  ])("%s has none", (source) => expect(find(source)).toEqual([]));
});
