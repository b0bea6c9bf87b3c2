import { askBodySchema, askQuerySchema, askSchema } from "./ask.ts";
import { commentBodySchema } from "./note.ts";

/** The schemas of the operations for programs that ask. Only agents' tokens can use them. */
export const ASK_OPERATION_SCHEMAS = {
  createAsk: {
    summary: "Ask a person, for a program; the answer is kept until the program fetches it",
    access: "agent",
    body: askBodySchema,
    answer: { status: 201, description: "The ask, and where it is answered.", schema: askSchema },
    errors: ["INVALID_REQUEST", "KEY_REUSED", "NOT_FOUND", "TOO_LARGE", "TOO_MANY_PENDING"],
  },
  getAsk: {
    summary: "One ask of this token, answered or not",
    access: "agent",
    query: askQuerySchema,
    answer: { status: 200, description: "The ask as it is now.", schema: askSchema },
    errors: ["NOT_FOUND"],
    hasStream: true,
  },
  addAskComment: {
    summary: "Write a comment under an ask of this token",
    access: "agent",
    body: commentBodySchema,
    answer: { status: 200, description: "The ask as it is now.", schema: askSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  withdrawAsk: {
    summary: "Withdraw an ask, or confirm that its answer has arrived",
    access: "agent",
    answer: { status: 200, description: "The ask as it is from now on.", schema: askSchema },
    errors: ["NOT_FOUND"],
  },
} as const;
