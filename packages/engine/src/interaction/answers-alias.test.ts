import type { Question } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { readAliasAnswers } from "./answers-alias.ts";

const options = [
  { id: "a", label: "React" },
  { id: "b", label: "Vue, with TypeScript" },
];
const questions: Question[] = [
  { id: "q_fw", header: "Stack", question: "Which framework?", multiSelect: false, options },
  { id: "q_more", header: "More", question: "What else?", multiSelect: true, options },
];

describe("keys", () => {
  for (const [name, keys] of [
    ["the id", ["q_fw", "q_more"]],
    ["the text", ["Which framework?", "What else?"]],
    ["the index", ["0", "1"]],
  ] as const) {
    test(`${name} identifies a question`, () => {
      expect(readAliasAnswers({ [keys[0]]: "React", [keys[1]]: ["React"] }, questions)).toEqual({
        status: "read",
        answers: [
          { questionId: "q_fw", selected: ["a"] },
          { questionId: "q_more", selected: ["a"] },
        ],
      });
    });
  }

  test("[R-11] unknown keys and missing questions are refused", () => {
    expect(readAliasAnswers({ "2": "React", q_fw: "React" }, questions)).toMatchObject({
      status: "invalid",
      fieldErrors: { "answers.2": expect.any(String), "answers.q_more": expect.any(String) },
    });
  });

  test("[R-11] one question under two keys is refused", () => {
    const answers = { q_fw: "React", "0": "React", q_more: ["React"] };
    expect(readAliasAnswers(answers, questions)).toMatchObject({
      status: "invalid",
      fieldErrors: { "answers.q_fw": expect.any(String) },
    });
  });

  test("[R-11] a text that two questions share identifies neither", () => {
    const same = questions.map((question) => ({ ...question, question: "Same?" }));
    expect(readAliasAnswers({ "Same?": "React" }, same)).toMatchObject({ status: "invalid" });
  });
});

describe("values", () => {
  const read = (value: string | string[]) =>
    readAliasAnswers({ q_fw: "React", q_more: value }, questions);

  test("a label may hold a comma", () => {
    expect(read("Vue, with TypeScript")).toMatchObject({
      answers: [{}, { questionId: "q_more", selected: ["b"] }],
    });
  });

  test("labels come as an array or as its JSON", () => {
    const expected = { answers: [{}, { questionId: "q_more", selected: ["b", "a"] }] };
    const labels = ["Vue, with TypeScript", "React"];
    expect(read(labels)).toMatchObject(expected);
    expect(read(JSON.stringify(labels))).toMatchObject(expected);
  });

  test("free text counts as Other, even in brackets", () => {
    for (const text of ["Svelte", "[none of these]", "[1, 2]"]) {
      expect(read(text)).toMatchObject({
        answers: [{}, { questionId: "q_more", selected: [], other: text }],
      });
    }
  });

  test("[R-11] an unknown label in an array is refused", () => {
    expect(read(["React", "Svelte"])).toMatchObject({
      status: "invalid",
      fieldErrors: { "answers.q_more": expect.any(String) },
    });
  });
});
