import { z } from "zod";

import { BODY_LIMITS, MAX_UNDO_MS } from "./limits.ts";
import { idempotencyKeySchema, idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";

export const responseActionSchema = z.enum(["approve", "deny", "submit", "cancel"]);
export type ResponseAction = z.infer<typeof responseActionSchema>;

export const approvalScopeSchema = z.enum(["once", "session", "always"]);
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/** The limits of a longer approval, within its scope. */
export const grantLimitSchema = z.strictObject({
  /** It ends after this time, in milliseconds. */
  forMs: z
    .int()
    .min(60_000)
    .max(365 * 24 * 60 * 60 * 1000)
    .optional(),
  /** The number of later calls that it covers. */
  uses: z.int().min(1).max(1000).optional(),
});
export type GrantLimit = z.infer<typeof grantLimitSchema>;

/** The answer to one question: the selected options, and optional free text in addition. */
export const answerSchema = z.strictObject({
  questionId: idSchema,
  selected: z.array(idSchema).max(64),
  other: z.string().max(16_384).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

const said = {
  action: responseActionSchema,
  /** Approvals: the scope. Absent means `once`. In a stored response: the scope that was applied. */
  approvalScope: approvalScopeSchema.optional(),
  /** Approvals: the limits of a longer approval. */
  grantLimit: grantLimitSchema.optional(),
  /** Approvals: the input to run instead of the one that was shown. */
  editedInput: jsonObjectSchema.optional(),
  /** Questions: one entry per question. */
  answers: z.array(answerSchema).max(64).optional(),
  /** Questions: a free reply to the whole card, instead of answers. */
  reply: z.string().min(1).max(BODY_LIMITS.responseBytes).optional(),
  /** Forms: the values. A stored response omits the values of sensitive fields. */
  values: jsonObjectSchema.optional(),
  /** Denials: the reason, which is sent to the agent. */
  reason: z.string().max(16_384).optional(),
  /** Denials: whether to end the turn, too. */
  stopTurn: z.boolean().optional(),
};

/** A person's response, as stored and shown. */
export const responseSchema = z.object({
  ...said,
  /** Forms: the sensitive fields that were filled in. Only the agent gets their values. */
  redacted: z.array(z.string()).optional(),
  /** The grant that answered instead of a person. `by` is the person who gave the grant. */
  grantId: idSchema.optional(),
});
export type InteractionResponse = z.infer<typeof responseSchema>;

/** The way in which a person's device or program was signed in. */
export const signInMethodSchema = z.enum([
  "launch_code",
  "pairing_code",
  "issuer",
  "program_token",
  "configured_token",
]);
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** How the responder was signed in. */
export const signedInSchema = z.object({
  how: signInMethodSchema,
  /** The issuer that vouches for the person. */
  issuer: z.string().optional(),
  /** When the issuer last confirmed the person. Without an issuer: when the device or the token was created. */
  at: instantSchema.optional(),
});
export type SignedIn = z.infer<typeof signedInSchema>;

/** The person who responded, and from where. */
export const responderSchema = z.object({
  person: z.string(),
  /** The id of a person who signed in at an issuer. It stays the same as long as the issuer's subject does. */
  personId: idSchema.optional(),
  /** A readable label, such as "Safari on iPhone". */
  client: z.string(),
  clientId: idSchema.optional(),
  /** Absent for a program that embeds the gateway. */
  signedIn: signedInSchema.optional(),
  at: instantSchema,
});
export type Responder = z.infer<typeof responderSchema>;

/** Body of `POST /api/interactions/:interactionId/response`. An `approve` must contain the digest that was shown. */
export const respondBodySchema = z.strictObject({
  ...said,
  digest: z.string().max(128).optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
  /**
   * How long the person can take the response back before the agent gets it, in milliseconds. Only applies if no
   * running agent waits for the response. Default: not at all.
   */
  undoMs: z.int().min(0).max(MAX_UNDO_MS).optional(),
});
export type RespondBody = z.infer<typeof respondBodySchema>;

/** Body of `POST /api/interactions/:interactionId/undo`. */
export const undoBodySchema = z.strictObject({
  /** The `by.at` of the response to take back. */
  answeredAt: instantSchema,
});
export type UndoBody = z.infer<typeof undoBodySchema>;
