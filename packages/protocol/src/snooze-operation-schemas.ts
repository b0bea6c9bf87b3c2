import { snoozeBodySchema, snoozeListSchema, snoozeSchema } from "./snooze.ts";

/** The schemas of the operations for snoozing interactions. */
export const SNOOZE_OPERATION_SCHEMAS = {
  listSnoozes: {
    summary: "What the person has put off and can still answer",
    access: "person",
    answer: {
      status: 200,
      description: "The first that comes back in front.",
      schema: snoozeListSchema,
    },
    errors: [],
  },
  snoozeInteraction: {
    summary: "Put an interaction off for the person, on all devices",
    access: "person",
    body: snoozeBodySchema,
    answer: { status: 200, description: "When it is back.", schema: snoozeSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  endSnooze: {
    summary: "Bring an interaction back that was put off",
    access: "person",
    answer: { status: 204, description: "It is back." },
    errors: ["NOT_FOUND"],
  },
} as const;
