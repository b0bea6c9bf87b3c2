import { z } from "zod";

import { interactionKindSchema, interactionStatusSchema } from "./interaction.ts";
import { MAX_ASK_MS, MAX_ASK_WAIT_MS } from "./limits.ts";
import { commentSchema } from "./note.ts";
import { idempotencyKeySchema, idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";
import { responderPolicySchema } from "./responders.ts";
import { responderSchema, responseSchema } from "./response.ts";

const asking = {
  /** The requester's name for itself. It is shown with the name that the person gave to the token. */
  label: z.string().min(1).max(100),
  /** The question, as the person reads it. */
  prompt: z.string().trim().min(1).max(2000),
  /** How long the ask can be answered, in milliseconds. Default: forever. */
  timeoutMs: z.int().min(1000).max(MAX_ASK_MS).optional(),
  /** The same key finds the same ask, even after a restart of either side. It is refused with a different body. */
  idempotencyKey: idempotencyKeySchema.optional(),
  /** Who may answer. This can only narrow the policy in the gateway's config. */
  responders: responderPolicySchema.optional(),
  /** Receives one signed POST, without the answer, when the ask is over. The config must allow its host. */
  callback: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2000) }).optional(),
};

const askOptionSchema = z.union([
  z.string().min(1).max(1000),
  z.strictObject({
    id: idSchema.optional(),
    label: z.string().min(1).max(1000),
    description: z.string().max(16_384).optional(),
  }),
]);

const askQuestionSchema = z.strictObject({
  id: idSchema.optional(),
  /** A short label, at most 12 characters by convention. */
  header: z.string().max(64).optional(),
  question: z.string().min(1).max(2000),
  multiSelect: z.boolean().optional(),
  options: z.array(askOptionSchema).max(50),
});

/** Body of `POST /api/asks`: the same requests as a tool's `requestInteraction`, with the name of the requester. */
export const askBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("approval"),
    ...asking,
    /** The exact input to approve. Default: only the prompt. */
    input: jsonObjectSchema.optional(),
    display: z
      .strictObject({ title: z.string().max(2000), description: z.string() })
      .partial()
      .optional(),
    /** The change to one file that an approval would make. */
    change: z
      .strictObject({ path: z.string(), before: z.string().optional(), after: z.string() })
      .optional(),
    /** Whether the person may change the input. Default: no. */
    editable: z.boolean().optional(),
    defaultToDeny: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal("question"),
    ...asking,
    questions: z.array(askQuestionSchema).min(1).max(20),
  }),
  z.strictObject({
    kind: z.literal("form"),
    ...asking,
    inputSchema: jsonObjectSchema,
    order: z.array(z.string()).optional(),
    initialValues: jsonObjectSchema.optional(),
  }),
]);
export type AskBody = z.infer<typeof askBodySchema>;

/**
 * The state of an ask's callback. `waiting`: the ask is not over. `sending`: a try was made or will be. `delivered`:
 * the receiver answered with 2xx. `failed`: no further tries.
 */
export const askCallbackSchema = z.object({
  state: z.enum(["waiting", "sending", "delivered", "failed"]),
  tries: z.int().min(0),
  /** Why the last try failed. */
  problem: z.string().optional(),
});
export type AskCallback = z.infer<typeof askCallbackSchema>;

/** An ask as its program sees it. */
export const askSchema = z.object({
  interactionId: idSchema,
  kind: interactionKindSchema,
  status: interactionStatusSchema,
  /** The page where a person answers. It only opens for people who are signed in. */
  cardUrl: z.string(),
  startedAt: instantSchema,
  deadlineAt: instantSchema.optional(),
  /** The person's response. Only the action `approve` is consent. Contains sensitive values until `DELETE`. */
  response: responseSchema.optional(),
  /** For a granted approval: the input that may run, either as shown or as edited by the person. */
  input: jsonObjectSchema.optional(),
  by: responderSchema.pick({ person: true, at: true }).optional(),
  /** Comments by people and the program, oldest first. Comments are never answers. */
  comments: z
    .array(
      commentSchema
        .omit({ by: true })
        .extend({ by: responderSchema.pick({ person: true, at: true }) }),
    )
    .optional(),
  /** Why it can no longer be answered. */
  closedReason: z.string().optional(),
  /** Present if the ask has a callback. */
  callback: askCallbackSchema.optional(),
});
export type Ask = z.infer<typeof askSchema>;

/** A frame on the event stream of an ask. */
export const askFrameSchema = z.object({ type: z.literal("ask_changed"), ask: askSchema });

/** A duration such as `30s`, `500ms` or `1m`, converted to milliseconds. */
const waitSchema = z
  .string()
  .regex(/^\d{1,6}(ms|s|m)$/u, "A time such as 30s.")
  .transform((text) => Number.parseInt(text, 10) * unitOf(text))
  .refine((waitMs) => waitMs <= MAX_ASK_WAIT_MS, `At most ${MAX_ASK_WAIT_MS / 1000}s.`);

function unitOf(text: string): number {
  if (text.endsWith("ms")) return 1;
  return text.endsWith("s") ? 1000 : 60_000;
}

export const askQuerySchema = z.object({
  /** How long to wait for the ask to end. After that, the pending ask is returned. Default: no wait. */
  wait: waitSchema.optional(),
  /** With `wait`: the number of known comments. The wait also ends when there are more. Default: it does not. */
  comments: z.coerce.number().int().min(0).max(1000).optional(),
});
