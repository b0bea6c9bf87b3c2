import { z } from "zod";

import { BODY_LIMITS, MAX_UNDO_MS } from "./limits.ts";
import { idempotencyKeySchema, idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";

export const responseActionSchema = z.enum(["approve", "deny", "submit", "cancel"]);
export type ResponseAction = z.infer<typeof responseActionSchema>;

export const approvalScopeSchema = z.enum(["once", "session", "always"]);
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/** How far an approval for longer goes, within its scope. */
export const grantLimitSchema = z.strictObject({
  /** It ends after this time. */
  forMs: z
    .int()
    .min(60_000)
    .max(365 * 24 * 60 * 60 * 1000)
    .optional(),
  /** It covers so many later calls. */
  uses: z.int().min(1).max(1000).optional(),
});
export type GrantLimit = z.infer<typeof grantLimitSchema>;

/** The answer to one question: the options that were ticked, and free text, which may be given as well. */
export const answerSchema = z.strictObject({
  questionId: idSchema,
  selected: z.array(idSchema).max(64),
  other: z.string().max(16_384).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

const said = {
  action: responseActionSchema,
  /** Approvals: the scope; absent means `once`. In a stored response: the scope really applied. */
  approvalScope: approvalScopeSchema.optional(),
  /** Approvals for longer: how far they go. */
  grantLimit: grantLimitSchema.optional(),
  /** Approvals: the input to run instead of the one that was shown. */
  editedInput: jsonObjectSchema.optional(),
  /** Questions: one entry for each question. */
  answers: z.array(answerSchema).max(64).optional(),
  /** Questions: a free reply to the whole card instead of answers. */
  reply: z.string().min(1).max(BODY_LIMITS.responseBytes).optional(),
  /** Forms: the values; in a stored response without those of sensitive fields. */
  values: jsonObjectSchema.optional(),
  /** Denials: the agent gets it. */
  reason: z.string().max(16_384).optional(),
  /** Denials: end the turn as well. */
  stopTurn: z.boolean().optional(),
};

/** A person's response, as stored and shown. */
export const responseSchema = z.object({
  ...said,
  /** Forms: sensitive fields that were filled in. Their values go to the agent and nowhere else. */
  redacted: z.array(z.string()).optional(),
  /** The grant that answered instead of a person. `by` is the person who gave the grant. */
  grantId: idSchema.optional(),
});
export type InteractionResponse = z.infer<typeof responseSchema>;

/** By what a person's device or program came to be signed in. */
export const signInMethodSchema = z.enum([
  "launch_code",
  "pairing_code",
  "issuer",
  "program_token",
  "configured_token",
]);
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** How who responded was signed in. */
export const signedInSchema = z.object({
  /** Absent of a device that an earlier release has signed in. */
  how: signInMethodSchema.optional(),
  /** Who says who the person is. */
  issuer: z.string().optional(),
  /** When the issuer last said so, else when the device or the token was made. */
  at: instantSchema.optional(),
});
export type SignedIn = z.infer<typeof signedInSchema>;

/** Who responded, and from where. */
export const responderSchema = z.object({
  person: z.string(),
  /** Of a person who signed in at an issuer: the same for as long as the issuer calls them the same. */
  personId: idSchema.optional(),
  /** A label for people, such as "Safari on iPhone". */
  client: z.string(),
  clientId: idSchema.optional(),
  /** Absent of a program that embeds the gateway, and before this was noted. */
  signedIn: signedInSchema.optional(),
  at: instantSchema,
});
export type Responder = z.infer<typeof responderSchema>;

/** Body of `POST /api/interactions/:interactionId/response`. An `approve` must carry the digest that was shown. */
export const respondBodySchema = z.strictObject({
  ...said,
  digest: z.string().max(128).optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
  /**
   * Where no running agent waits for the response: how long the person can take it back before the agent gets it. Default:
   * not at all.
   */
  undoMs: z.int().min(0).max(MAX_UNDO_MS).optional(),
});
export type RespondBody = z.infer<typeof respondBodySchema>;

/** Body of `POST /api/interactions/:interactionId/undo`. */
export const undoBodySchema = z.strictObject({
  /** `by.at` of the response that is meant. */
  answeredAt: instantSchema,
});
export type UndoBody = z.infer<typeof undoBodySchema>;
