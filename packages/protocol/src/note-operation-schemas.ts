import { interactionSchema } from "./interaction.ts";
import { commentBodySchema, handOverBodySchema } from "./note.ts";

/** The schemas of the operations that add notes to an interaction. */
export const NOTE_OPERATION_SCHEMAS = {
  addComment: {
    summary:
      "Write a comment under an interaction; it stays open, and its agent does not see the comment",
    access: "person",
    body: commentBodySchema,
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  handOver: {
    summary: "Reassign an interaction to someone who may answer it, now or at a later step",
    access: "person",
    body: handOverBodySchema,
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INTERACTION_DISABLED", "INVALID_REQUEST", "NOT_FOUND", "NOT_RESPONDER"],
  },
  remind: {
    summary: "Send another notification to the people who can answer",
    access: "person",
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
} as const;
