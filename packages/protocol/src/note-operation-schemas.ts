import { interactionSchema } from "./interaction.ts";
import { commentBodySchema, handOverBodySchema } from "./note.ts";

/** The schemas of the operations that add notes to an interaction. */
export const NOTE_OPERATION_SCHEMAS = {
  addComment: {
    summary: "Write a comment under an interaction; it stays open, and its agent hears nothing",
    access: "person",
    body: commentBodySchema,
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  handOver: {
    summary: "Let somebody answer now whom a later step would let answer",
    access: "person",
    body: handOverBodySchema,
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INTERACTION_DISABLED", "INVALID_REQUEST", "NOT_FOUND", "NOT_RESPONDER"],
  },
  remind: {
    summary: "Notify those who can answer once more",
    access: "person",
    answer: { status: 200, description: "The interaction.", schema: interactionSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
} as const;
