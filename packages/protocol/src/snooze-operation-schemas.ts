import { snoozeBodySchema, snoozeListSchema, snoozeSchema } from "./snooze.ts";

/** The schemas of the operations for snoozing interactions. */
export const SNOOZE_OPERATION_SCHEMAS = {
  listSnoozes: {
    summary: "Snoozed interactions that the person can still answer",
    access: "person",
    answer: {
      status: 200,
      description: "The next one to return comes first.",
      schema: snoozeListSchema,
    },
    errors: [],
  },
  snoozeInteraction: {
    summary: "Snooze an interaction for the person, on all devices",
    access: "person",
    body: snoozeBodySchema,
    answer: { status: 200, description: "The time of its return.", schema: snoozeSchema },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  endSnooze: {
    summary: "End the snooze of an interaction",
    access: "person",
    answer: { status: 204, description: "It is no longer snoozed." },
    errors: ["NOT_FOUND"],
  },
} as const;
