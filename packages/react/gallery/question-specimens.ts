import {
  anApprovalInteraction,
  aQuestionInteraction,
  FORMAT_QUESTION,
  SCOPE_QUESTION,
} from "../src/testing/interactions.ts";
import { id, refuse, type Specimen } from "./specimen.ts";

const MARKDOWN = `**Invoice 1042**

- Due: *5. Dezember 2026*
- Total: 310,00 €

See [the style guide](https://example.org/dates).`;
const PREVIEWS = ["Invoice 1042\nDue     2026-12-05\nTotal    € 310.00", MARKDOWN];
const PREVIEWED = {
  ...FORMAT_QUESTION,
  options: FORMAT_QUESTION.options.map((option, index) => ({
    ...option,
    preview: { format: "markdown" as const, content: PREVIEWS[index] ?? "" },
  })),
};
const HTML_PREVIEW = {
  ...FORMAT_QUESTION,
  id: "q-html",
  header: "Layout",
  question: "Which layout for the reminder?",
  options: [
    {
      id: "plain",
      label: "Plain letter",
      description: "Like today",
      preview: {
        format: "html" as const,
        content:
          "<h3>Reminder</h3><p>Dear customer, invoice <b>1042</b> is due.</p><script>alert(1)</script><img src='https://example.org/x.png' alt='logo'>",
      },
    },
    { id: "short", label: "Two lines", description: "Fits a notification" },
  ],
};

const ticked = { step: 0, answers: [{ selected: ["iso"], otherTicked: false, other: "" }] };
export const QUESTIONS: readonly Specimen[] = [
  {
    name: "Question · one, with previews",
    interaction: aQuestionInteraction([PREVIEWED], id()),
    draft: ticked,
  },
  { name: "Question · HTML preview", interaction: aQuestionInteraction([HTML_PREVIEW], id()) },
  {
    name: "Question · several, prompt, many choices",
    interaction: aQuestionInteraction([FORMAT_QUESTION, SCOPE_QUESTION, HTML_PREVIEW], {
      ...id(),
      prompt: "Before I start, three decisions are yours",
    }),
    draft: {
      step: 1,
      answers: [
        { selected: ["iso"], otherTicked: false, other: "" },
        { selected: ["invoices"], otherTicked: true, other: "the letters to the bank" },
        { selected: [], otherTicked: false, other: "" },
      ],
    },
  },
  {
    name: "Question · review",
    interaction: aQuestionInteraction([FORMAT_QUESTION, SCOPE_QUESTION, HTML_PREVIEW], id()),
    draft: {
      step: 3,
      answers: [
        { selected: ["iso"], otherTicked: false, other: "" },
        { selected: ["invoices"], otherTicked: true, other: "the letters to the bank" },
        { selected: [], otherTicked: false, other: "" },
      ],
    },
  },
  {
    name: "Question · not accepted",
    interaction: aQuestionInteraction([FORMAT_QUESTION], id()),
    draft: ticked,
    respond: refuse({
      code: "INVALID_RESPONSE",
      detail: "The answer does not fit.",
      fieldErrors: { "answers.q-format": "This option was not offered." },
    }),
    press: "Submit",
  },
  {
    name: "Question · an option without a preview",
    interaction: aQuestionInteraction(
      [
        {
          ...FORMAT_QUESTION,
          options: [
            { id: "iso", label: "ISO" },
            { id: "long", label: "Long", preview: { format: "markdown", content: MARKDOWN } },
          ],
        },
      ],
      id(),
    ),
    draft: ticked,
  },
  {
    name: "Question · a drawing",
    interaction: aQuestionInteraction(
      [
        {
          ...FORMAT_QUESTION,
          options: [
            {
              id: "iso",
              label: "Drawn",
              preview: { format: "markdown", content: "┌──────┐\n│ 2026 │\n└──────┘" },
            },
          ],
        },
      ],
      id(),
    ),
    draft: ticked,
  },
  {
    name: "Question · parked",
    interaction: aQuestionInteraction([FORMAT_QUESTION], { ...id(), hold: "parked" }),
    draft: ticked,
  },
  {
    name: "Approval · parked",
    interaction: anApprovalInteraction({}, { ...id(), hold: "parked" }),
  },
  {
    name: "Question · answering is off here",
    interaction: aQuestionInteraction([FORMAT_QUESTION], id()),
    canRespond: false,
  },
  {
    name: "Approval · no right",
    interaction: anApprovalInteraction({}, id()),
    canRespond: false,
    readOnlyReason: "no_right",
  },
  {
    name: "Question · expired, late answer possible",
    interaction: aQuestionInteraction([FORMAT_QUESTION], { ...id(), status: "expired" }),
    draft: ticked,
  },
  {
    name: "Approval · the agent is gone",
    interaction: anApprovalInteraction({}, { ...id(), status: "orphaned" }),
  },
];
