import { saying } from "@holdpoint/protocol";
import { z } from "zod";

import { defineTool } from "../define-tool.ts";

const ANSWER_FIELD = "answer";

/** Asks a person one question and returns the answer. */
export const askUser = defineTool({
  name: "ask_user",
  description:
    "Asks the person you work for one question and returns their answer. Use it when you need a decision, a preference or a fact that only they have. With `choices` they pick one of them; otherwise they write.",
  parameters: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe("The question, as the person will read it."),
    choices: z
      .array(z.string().trim().min(1).max(200))
      .min(2)
      .max(50)
      .refine((choices) => new Set(choices).size === choices.length, "Each choice once.")
      .optional()
      .describe("The answers to choose from."),
    multiline: z.boolean().optional().describe("True when the answer may need several lines."),
  }),
  readOnly: true,
  handler: ({ question, choices, multiline = false }, context) =>
    context.requestInteraction({
      kind: "form",
      presentation: "questionnaire",
      prompt: question,
      titles: { [ANSWER_FIELD]: saying("field_answer") },
      inputSchema: {
        type: "object",
        properties: {
          [ANSWER_FIELD]: {
            type: "string",
            ...(choices ? { enum: choices } : { multiline }),
          },
        },
        required: [ANSWER_FIELD],
      },
      onResponse({ action, values, reason }) {
        if (action === "submit") {
          return { complete: { status: "answered", answer: values?.[ANSWER_FIELD] } };
        }
        return {
          complete: { status: "declined", ...(reason !== undefined && { reason }) },
        };
      },
    }),
});
