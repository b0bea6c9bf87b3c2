import type { HoldResult } from "@holdpoint/engine";
import type { Answer, InteractionResponse, Question } from "@holdpoint/protocol";

import type { AnswerInWords, AskResult, FormResult, NoAnswer } from "./step.ts";

/** Converts a hold that got no response. */
export function toNoAnswer(result: Exclude<HoldResult, { outcome: "answered" }>): NoAnswer {
  return result.outcome === "expired"
    ? { outcome: "unanswered", takesLateAnswer: result.takesLateAnswer }
    : { outcome: "refused", reason: result.reason };
}

/** A person's answers to questions. Only a submission is an answer. */
export function readAnswers(
  questions: readonly Question[],
  response: InteractionResponse,
): AskResult {
  const { action, reply, answers, reason } = response;
  if (action === "submit" && reply !== undefined) return { outcome: "replied", reply };
  if (action === "submit" && answers !== undefined) {
    return {
      outcome: "answered",
      answers: questions.map((question) => inWords(question, answers)),
    };
  }
  return { outcome: "cancelled", ...(reason === undefined ? {} : { reason }) };
}

/** A person's input in a form. Only a submission is an answer. */
export function readForm({
  response: { action, reason },
  values,
}: Extract<HoldResult, { outcome: "answered" }>): FormResult {
  if (action === "submit" && values !== undefined) return { outcome: "submitted", values };
  return { outcome: "cancelled", ...(reason === undefined ? {} : { reason }) };
}

function inWords(question: Question, answers: readonly Answer[]): AnswerInWords {
  const answer = answers.find(({ questionId }) => questionId === question.id);
  const chosen = question.options.filter(({ id }) => answer?.selected.includes(id));
  return {
    question,
    labels: chosen.map(({ label }) => label),
    optionIds: chosen.map(({ id }) => id),
    ...(answer?.other === undefined ? {} : { other: answer.other }),
  };
}
