import type { Answer, Question } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { never, spokenText, type AdapterBench } from "./adapter-bench.ts";
import type { AdapterSubject } from "./adapter-subject.ts";
import { pickLast, questionsOf, submit } from "./scripted-person.ts";

/** The part of the adapter contract about questions. */
export function describeQuestions(bench: AdapterBench): void {
  describe("a question", () => {
    test("is structured, and its answers reach the agent", async () => {
      let questions: readonly Question[] = [];
      const { turn, result } = await bench.run(await bench.open(), "ask_question", (request) => {
        questions = questionsOf(request);
        return submit({ answers: questions.map((question) => pickLast(question)) });
      });
      expect(result).toEqual({ reason: "done" });
      expect(turn.requests).toHaveLength(1);
      expectAnswerable(questions);
      const heard = bench.subject.heard().join("\n");
      for (const { options } of questions) {
        expect(heard).toContain(options.at(-1)?.label);
        expect(heard).not.toContain(options.at(0)?.label);
      }
    });

    test("can be answered with several options and with free text", async () => {
      let labels: string[] = [];
      const { result } = await bench.run(await bench.open(), "ask_question", (request) =>
        submit({
          answers: questionsOf(request).map((question): Answer => {
            if (!question.multiSelect) {
              return { questionId: question.id, selected: [], other: "none of these, but teal" };
            }
            labels = question.options.slice(0, 2).map(({ label }) => label);
            const selected = question.options.slice(0, 2).map(({ id }) => id);
            return { questionId: question.id, selected, other: "and a pony" };
          }),
        }),
      );
      expect(result).toEqual({ reason: "done" });
      expect(labels).toHaveLength(2);
      const heard = bench.subject.heard().join("\n");
      for (const words of ["none of these, but teal", ...labels, "and a pony"]) {
        expect(heard).toContain(words);
      }
    });

    test("can be answered with a free reply to the whole card", async () => {
      const { result } = await bench.run(await bench.open(), "ask_question", () =>
        submit({ reply: "Decide for yourself, please." }),
      );
      expect(result).toEqual({ reason: "done" });
      expect(bench.subject.heard().join("\n")).toContain("Decide for yourself, please.");
    });

    test("[R-5] has no answer when it is cancelled", async () => {
      let questions: readonly Question[] = [];
      const { result } = await bench.run(await bench.open(), "ask_question", (request) => {
        questions = questionsOf(request);
        return { outcome: "answered", response: { action: "cancel" } };
      });
      expect(result).toEqual({ reason: "done" });
      expectNoLabelHeard(bench.subject, questions);
    });

    test("[R-5] has no answer if no one answers, and the agent continues", async () => {
      let questions: readonly Question[] = [];
      const { turn, result } = await bench.run(await bench.open(), "ask_question", (request) => {
        questions = questionsOf(request);
        return { outcome: "expired" };
      });
      expect(result).toEqual({ reason: "done" });
      expect(spokenText(turn)).not.toBe("");
      expect(bench.subject.heard()).toHaveLength(1);
      expectNoLabelHeard(bench.subject, questions);
    });

    test("[R-12] is asked in every permission mode", async () => {
      const { permissionModes } = await bench.subject.adapter.describe({ signal: never });
      const asked: string[] = [];
      for (const { mode } of permissionModes) {
        const session = await bench.open({ permissionMode: mode });
        await bench.run(session, "ask_question", (request) => {
          asked.push(mode);
          return submit({ answers: questionsOf(request).map((question) => pickLast(question)) });
        });
        await session[Symbol.asyncDispose]();
      }
      expect(asked).toEqual(permissionModes.map(({ mode }) => mode));
    });
  });
}

function expectAnswerable(questions: readonly Question[]): void {
  expect(questions.length).toBeGreaterThanOrEqual(2);
  expect(questions[0]?.multiSelect).toBe(false);
  expect(questions.some(({ multiSelect }) => multiSelect)).toBe(true);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  for (const { options } of questions) {
    expect(options.length).toBeGreaterThanOrEqual(2);
    expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
  }
}

function expectNoLabelHeard(subject: AdapterSubject, questions: readonly Question[]): void {
  expect(questions.length).toBeGreaterThan(0);
  const heard = subject.heard().join("\n");
  for (const { options } of questions) {
    for (const { label } of options) expect(heard).not.toContain(label);
  }
}
