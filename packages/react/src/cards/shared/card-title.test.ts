import type { Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import {
  anApprovalInteraction,
  anInteraction,
  FORMAT_QUESTION,
  SCOPE_QUESTION,
} from "../../testing/interactions.ts";
import { sayEnglish } from "../../testing/say-english.ts";
import { toAskedTitle, toCardTitle } from "./card-title.ts";

const change = { path: "/notes.md", after: "b" };
const form = { schema: { type: "object", properties: {} } } as const;
const asking = (kind: Interaction["kind"], over: Partial<Interaction>): Interaction =>
  anInteraction({ kind, ...over });

test.each<[string, Interaction]>([
  ["Run `npm test -- dates`?", anApprovalInteraction()],
  ["Run `` echo `date` ``?", anApprovalInteraction({ input: { command: "echo `date`" } })],
  ["Run `cd app …`?", anApprovalInteraction({ input: { command: "cd app\nnpm test" } })],
  [`Run \`${"x".repeat(64)} …\`?`, anApprovalInteraction({ input: { command: "x".repeat(65) } })],
  ["Create notes.md?", anApprovalInteraction({ change })],
  ["Edit notes.md?", anApprovalInteraction({ change: { ...change, before: "a" } })],
  ["Tidy notes.md", anApprovalInteraction({ change, display: { title: "Tidy notes.md" } })],
  ["Edit a file?", anApprovalInteraction({ change, display: { title: "Edit a file?" } })],
  ["Use Deploy?", anApprovalInteraction({ input: {} }, { toolName: "Deploy" })],
  [
    "Use Deploy?",
    anApprovalInteraction({ input: { force: true, target: "production" } }, { toolName: "Deploy" }),
  ],
  ["Use Deploy?", anApprovalInteraction({ input: { command: " " } }, { toolName: "Deploy" })],
  [
    "Delete the production database?",
    anApprovalInteraction({
      input: { note: "dry run only" },
      display: { title: "Delete the production database?" },
    }),
  ],
  [
    "Refund order 4000 (€ 9.00)?",
    anApprovalInteraction(
      { input: { currency: "EUR" } },
      { prompt: "Refund order 4000 (€ 9.00)?" },
    ),
  ],
  [
    "Approve this plan?",
    anApprovalInteraction({ input: { plan: "# Do it" } }, { toolName: "ExitPlanMode" }),
  ],
  ["Deploy now?", anApprovalInteraction({}, { prompt: "Deploy now?" })],
  ["Runs it", anApprovalInteraction({ display: { title: "Runs it" } }, { prompt: "Asked" })],
  ["A form to fill in", asking("form", { form, prompt: " " })],
  ["Invite", asking("form", { form: { schema: { ...form.schema, title: "Invite" } } })],
  ["Dates", asking("question", { prompt: "Dates", questions: [FORMAT_QUESTION] })],
])("%s: the title of a card, in the inbox and in the conversation", (title, interaction) => {
  expect(toCardTitle(interaction, sayEnglish)).toBe(title);
  expect(toAskedTitle(interaction)).toBe(title);
});

test("a question without a title is named by its text, several by the first", () => {
  const one = asking("question", { questions: [FORMAT_QUESTION] });
  expect(toCardTitle(one, sayEnglish)).toBe("A question for you");
  expect(toAskedTitle(one)).toBe(FORMAT_QUESTION.question);
  const two = asking("question", { questions: [FORMAT_QUESTION, SCOPE_QUESTION] });
  expect(toCardTitle(two, sayEnglish)).toBe("2 questions for you");
  expect(toAskedTitle(two)).toBe(`${FORMAT_QUESTION.question} (and 1 more)`);
});
