import { describe, expect, test } from "vitest";

import { findMarks, type Passage } from "./dialect.ts";
import { judgeProse } from "./judge-prose.ts";
import { readCatalogue, readComments, readDocument, readTitles } from "./read-passages.ts";

function patternsIn(text: string): string[] {
  return findMarks([{ path: "a.md", line: 1, text }]).map(({ pattern }) => pattern);
}

function isPlain(passages: readonly Passage[]): boolean {
  return judgeProse({ name: "some", passages }).isPlain;
}

const PLAIN = "The gateway stores each answer before it confirms it. A pending request stays open.";

test.each([
  "The overview keeps what has expired.",
  "What is due comes first.",
  "The agent is told once.",
  "It takes the place of that of a terminal.",
  "It is shown to nobody.",
  "A test stands beside its port.",
  "Ask whoever made it.",
  "The page is not open any more.",
  "It ends by itself.",
  "It has a key of its own.",
  "The agent goes on.",
  "It waits until then.",
  "It is known to be safe.",
  "There are so many that it stops.",
  "It is left out where there is none.",
])("a phrase of the dialect is found: %s", (text) => {
  expect(patternsIn(text)).not.toEqual([]);
});

test.each([
  "What happens when the gateway is killed?",
  "The page shows what to do next.",
  "The people who can approve a request are stored with it.",
  "It continues with the next call.",
  PLAIN,
])("plain English has no mark: %s", (text) => {
  expect(patternsIn(text)).toEqual([]);
});

describe("a document", () => {
  test("leaves out code, quoted texts, headings, addresses and titles of tests", () => {
    const text = [
      "# Who may answer",
      "The button “Tell somebody” runs `is told` ([it](https://example.org/nobody)).",
      "",
      "```sh",
      "# nobody goes on",
      "```",
      "| Answers stay | [what somebody said is told anew](e2e/some.test.ts) |",
    ].join("\n");
    expect(findMarks(readDocument("a.md", text))).toEqual([]);
  });

  test("finds a phrase across a line break, with the first line of its paragraph", () => {
    const [mark] = findMarks(readDocument("a.md", "Plain.\n\nThe agent is\ntold once."));
    expect(mark).toMatchObject({ phrase: "is told", passage: { path: "a.md", line: 3 } });
  });

  test("judges each entry of a list, and each cell of a table", () => {
    const text = "- The agent is\n- told\n\n| it is | told |\n| shown to nobody | yes |";
    expect(findMarks(readDocument("a.md", text)).map(({ phrase }) => phrase)).toEqual(["nobody"]);
  });
});

test("the comments of a file are read without its strings, neighbouring lines as one", () => {
  const source = [
    'const a = "nobody"; // The agent is',
    "// told once.",
    "/** Shown to `nobody`. */",
    "const b = `somebody // is told`;",
  ].join("\n");
  const marks = findMarks(readComments("a.ts", source));
  expect(marks.map(({ phrase, passage }) => [phrase, passage.line])).toEqual([["is told", 1]]);
});

test("the titles of tests and suites are read, and not their bodies", () => {
  const source = [
    'describe("an agent", () => {',
    '  test.each(rows)("%s is told once", () => void "nobody");',
    "});",
  ].join("\n");
  const marks = findMarks(readTitles("a.test.ts", source));
  expect(marks.map(({ phrase }) => phrase)).toEqual(["is told"]);
});

test("the texts of a catalogue are its English keys, or the values of its sayings", () => {
  const source = `const GERMAN = { "Told nobody": "Niemand" }; const S = { asked: "Ask somebody" };`;
  expect(readCatalogue("a.ts", source).map(({ text }) => text)).toEqual([
    "Told nobody",
    "Ask somebody",
  ]);
});

test("several marks fail, and a single one does not", () => {
  const plain = `${PLAIN}\n\n`.repeat(100);
  const relapse = "What is asked is told to whom it concerns.\n\n";
  expect(isPlain(readDocument("a.md", plain + relapse.repeat(4)))).toBe(false);
  expect(isPlain(readDocument("a.md", `${PLAIN}\n\nThe agent goes on.`))).toBe(true);
  const titles = `test("${PLAIN}", () => {});\n`.repeat(20);
  expect(isPlain(readTitles("a.test.ts", titles))).toBe(true);
  const told = 'test("what nobody asked is told to whom it concerns", () => {});';
  expect(isPlain(readTitles("a.test.ts", titles + told))).toBe(false);
  const comments = `/** ${PLAIN} */\n`.repeat(20);
  expect(isPlain(readComments("a.ts", comments))).toBe(true);
  expect(isPlain(readComments("a.ts", `${comments}// Nobody hears of it any more.\n`))).toBe(false);
});
