import type { Answer, Question } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toAnsweredInput, toQuestions } from "./ask-user-question.ts";

const question = (fields: Record<string, unknown> = {}) => ({
  question: "Which?",
  header: "Which",
  multiSelect: false,
  options: [{ label: "A", description: "a" }, { label: "B" }],
  ...fields,
});

function parse(...questions: unknown[]): readonly Question[] {
  const parsed = toQuestions({ questions }, "markdown");
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.questions;
}

describe("the input of a question", () => {
  test("becomes questions with ids by position", () => {
    const second = question({ question: "Both?", multiSelect: true });
    expect(parse(question(), second)).toMatchObject([
      {
        id: "q1",
        options: [
          { id: "q1o1", label: "A", description: "a" },
          { id: "q1o2", label: "B" },
        ],
      },
      { id: "q2", multiSelect: true, options: [{ id: "q2o1" }, { id: "q2o2" }] },
    ]);
  });

  test("keeps previews in the format that the model was asked for", () => {
    const input = { questions: [question({ options: [{ label: "A", preview: "<b>A</b>" }] })] };
    expect(toQuestions(input, "html")).toMatchObject({
      questions: [{ options: [{ preview: { format: "html", content: "<b>A</b>" } }] }],
    });
  });

  test.each([
    ["has no questions", {}],
    ["has no questions", { questions: [] }],
    ["is not an object", { questions: ["Which?"] }],
    ["has no text", { questions: [question({ question: "  " })] }],
    ["has no options", { questions: [question({ options: [] })] }],
    ["without a label", { questions: [question({ options: [{ description: "a" }] })] }],
    ["same label", { questions: [question({ options: [{ label: "A" }, { label: "A" }] })] }],
    ["same text", { questions: [question(), question({ header: "Other" })] }],
  ])("is refused when it %s", (problem, input) => {
    const parsed = toQuestions(input, "markdown");
    expect(parsed).toEqual({ ok: false, message: expect.stringContaining(problem) });
  });
});

describe("the answered input", () => {
  const labels = (...names: string[]) => names.map((label) => ({ label }));
  const input = { questions: [], metadata: { source: "x" } };

  function answer(fields: Record<string, unknown>, said: Omit<Answer, "questionId">): unknown {
    const questions = parse(question(fields));
    const answers = [{ questionId: "q1", ...said }];
    return toAnsweredInput(input, questions, { action: "submit", answers })?.["answers"];
  }

  test("keeps what the model wrote and adds the answers by question text", () => {
    const questions = parse(question(), question({ question: "Really?" }));
    const answers = [
      { questionId: "q2", selected: ["q2o1"] },
      { questionId: "q1", selected: ["q1o2"] },
    ];
    expect(toAnsweredInput(input, questions, { action: "submit", answers })).toEqual({
      ...input,
      answers: { "Which?": "B", "Really?": "A" },
    });
  });

  test.each<[string, boolean, { ticked: string[]; other?: string }, string]>([
    ["one label as it is", false, { ticked: ['A, "or" so'] }, 'A, "or" so'],
    ["free text as it is", false, { ticked: [], other: 'none, "really"' }, 'none, "really"'],
    [
      "free text as it is, in a multiple choice too",
      true,
      { ticked: [], other: "none, really" },
      "none, really",
    ],
    ["labels joined", true, { ticked: ["A", "B"] }, "A, B"],
    ["a label with a comma in quotes", true, { ticked: ["A, or so", "B"] }, '"A, or so", B'],
    ["a label with a comma in quotes, alone too", true, { ticked: ["A, or so"] }, '"A, or so"'],
    ["a label with a quote in quotes", true, { ticked: ['the "A"', "B"] }, '"the \\"A\\"", B'],
    ["a comma without a space as it is", true, { ticked: ["A,B", "C"] }, "A,B, C"],
    ["free text together with ticks", true, { ticked: ["A"], other: "and more" }, "A, and more"],
    [
      "free text with a comma together with ticks",
      true,
      { ticked: ["A"], other: "more, much" },
      'A, "more, much"',
    ],
    [
      "free text together with a single tick",
      false,
      { ticked: ["A, B"], other: "but later" },
      '"A, B", but later',
    ],
  ])("has %s", (_, multiSelect, { ticked, ...own }, expected) => {
    const options = labels(...ticked, "Z1", "Z2");
    const selected = ticked.map((_label, at) => `q1o${at + 1}`);
    expect(answer({ multiSelect, options }, { selected, ...own })).toEqual({ "Which?": expected });
  });

  test("leaves out what was not answered", () => {
    expect(answer({}, { selected: [] })).toEqual({});
    expect(answer({}, { selected: [], other: "" })).toEqual({});
  });

  test("may have a question text with a meaning in JavaScript", () => {
    const answers = answer({ question: "__proto__" }, { selected: ["q1o1"] });
    expect(JSON.stringify(answers)).toBe('{"__proto__":"A"}');
  });

  test("is a skip for a cancel, and a reply for a reply", () => {
    const questions = parse(question());
    expect(toAnsweredInput(input, questions, { action: "cancel" })).toEqual({
      ...input,
      answers: {},
    });
    expect(toAnsweredInput(input, questions, { action: "submit", reply: "Let us talk" })).toEqual({
      ...input,
      answers: {},
      response: "Let us talk",
    });
  });

  test.each([
    ["another action", { action: "approve" as const }],
    [
      "an unknown question",
      { action: "submit" as const, answers: [{ questionId: "q9", selected: [] }] },
    ],
    [
      "an unknown option",
      { action: "submit" as const, answers: [{ questionId: "q1", selected: ["q1o9"] }] },
    ],
  ])("[R-11] does not exist for %s", (_, response) => {
    expect(toAnsweredInput(input, parse(question()), response)).toBeUndefined();
  });
});
