import { parseSync, Visitor } from "vite";

import { readTestFile } from "../rules/read-test-file.ts";
import type { Passage } from "./dialect.ts";

type Comment = ReturnType<typeof parseSync>["comments"][number];

/** Begins a new passage of Markdown: a blank line, an entry of a list, a row of a table, or a quotation. */
const BEGINS = /^\s*(?:$|[-*] |\d+\. |\||>)/u;
/** Replaces code and quoted texts, which other rules apply to. */
const NAMED = "x";

/** The prose of a Markdown document, without headings, code, quoted texts, addresses and titles of tests. */
export function readDocument(path: string, text: string): Passage[] {
  const passages: { path: string; line: number; text: string }[] = [];
  let isCode = false;
  let last: { text: string } | undefined;
  for (const [place, line] of text.split("\n").entries()) {
    const isFence = line.trimStart().startsWith("```");
    if (isFence) isCode = !isCode;
    // A heading may be a clause, such as “Who may answer”.
    if (isFence || isCode || line.startsWith("#")) last = undefined;
    else if (last && !BEGINS.test(line)) last.text += ` ${line}`;
    else {
      const begun = line.split("|").map((cell) => ({ path, line: place + 1, text: cell }));
      passages.push(...begun);
      last = line.trim() === "" ? undefined : begun.at(-1);
    }
  }
  return clean(passages);
}

/** The comments of a TypeScript file. Neighbouring lines of `//` are one passage. */
export function readComments(path: string, source: string): Passage[] {
  const { comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const passages: { path: string; line: number; text: string }[] = [];
  let before: Comment | undefined;
  for (const comment of comments) {
    const text = comment.value.replaceAll(/^\s*\*+/gmu, " ");
    const last = passages.at(-1);
    const gap = before && source.slice(before.end, comment.start);
    const isNext = comment.type === "Line" && before?.type === "Line" && /^\n *$/u.test(gap ?? "");
    if (last && isNext) last.text += ` ${text}`;
    else passages.push({ path, line: source.slice(0, comment.start).split("\n").length, text });
    before = comment;
  }
  return clean(passages);
}

/** The titles of a file's tests and suites. */
export function readTitles(path: string, source: string): Passage[] {
  return readTestFile(path, source).titles.map((text) => ({ path, line: 1, text }));
}

/** The texts of a catalogue: the English keys of a translation, and the values of a table of sayings. */
export function readCatalogue(path: string, source: string): Passage[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const passages: Passage[] = [];
  new Visitor({
    Property({ key, value }) {
      const said = key.type === "Literal" ? key : value;
      if (said.type !== "Literal" || typeof said.value !== "string") return;
      const line = source.slice(0, said.start).split("\n").length;
      passages.push({ path, line, text: said.value });
    },
  }).visit(program);
  return passages;
}

function clean(passages: readonly Passage[]): Passage[] {
  return passages
    .map((passage) => ({ ...passage, text: withoutNames(passage.text) }))
    .filter(({ text }) => text !== "");
}

function withoutNames(text: string): string {
  return text
    .replaceAll(/\[[^\]]*\]\([^)]*\.test\.tsx?\)/gu, NAMED)
    .replaceAll(/`[^`]*`/gu, NAMED)
    .replaceAll(/"[^"]{1,160}"|“[^”]{1,160}”/gu, NAMED)
    .replaceAll(/\]\([^)]*\)/gu, "]")
    .replaceAll(/https?:\/\/\S+/gu, NAMED)
    .replace(/^\s*(?:#+|[-*]|\d+\.|>)\s/u, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
