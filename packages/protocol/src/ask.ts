import { z } from "zod";

import { interactionKindSchema, interactionStatusSchema } from "./interaction.ts";
import { MAX_ASK_MS, MAX_ASK_WAIT_MS } from "./limits.ts";
import { commentSchema } from "./note.ts";
import { idempotencyKeySchema, idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";
import { responderPolicySchema } from "./responders.ts";
import { responderSchema, responseSchema } from "./response.ts";

const asking = {
  /** Who asks, in the program's own words; shown beside the name that the person gave to its token. */
  label: z.string().min(1).max(100),
  /** What is asked, as the person will read it. */
  prompt: z.string().trim().min(1).max(2000),
  /** How long it can be answered. Default: without end. */
  timeoutMs: z.int().min(1000).max(MAX_ASK_MS).optional(),
  /** The same key finds the same ask, also after a restart of either side; with another body it is refused. */
  idempotencyKey: idempotencyKeySchema.optional(),
  /** Who may answer. It can only narrow what the gateway's config says. */
  responders: responderPolicySchema.optional(),
  /** Is told by one signed POST that the ask is over, and not what the answer is. Its host must be allowed by the config. */
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
  /** A chip, at most 12 characters by convention. */
  header: z.string().max(64).optional(),
  question: z.string().min(1).max(2000),
  multiSelect: z.boolean().optional(),
  options: z.array(askOptionSchema).max(50),
});

/** Body of `POST /api/asks`: what a tool can ask by `requestInteraction`, and who asks. */
export const askBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("approval"),
    ...asking,
    /** What is approved, exactly. Default: nothing but the prompt. */
    input: jsonObjectSchema.optional(),
    display: z
      .strictObject({ title: z.string().max(2000), description: z.string() })
      .partial()
      .optional(),
    /** The change of one file that this makes. */
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
 * What became of an ask's callback. `waiting`: the ask is not over; `sending`: it was tried, or will be; `delivered`: it was
 * answered with 2xx; `failed`: it is not tried any more.
 */
export const askCallbackSchema = z.object({
  state: z.enum(["waiting", "sending", "delivered", "failed"]),
  tries: z.int().min(0),
  /** Why the last try failed. */
  problem: z.string().optional(),
});
export type AskCallback = z.infer<typeof askCallbackSchema>;

/** What a program gets of its ask. */
export const askSchema = z.object({
  interactionId: idSchema,
  kind: interactionKindSchema,
  status: interactionStatusSchema,
  /** Where a person answers it. It opens for nobody who is not signed in. */
  cardUrl: z.string(),
  startedAt: instantSchema,
  deadlineAt: instantSchema.optional(),
  /** What the person said. Nothing but the action `approve` is consent. Values of sensitive fields are here until `DELETE`. */
  response: responseSchema.optional(),
  /** An approval that was given: what may run, the input that was shown or the person's edit. */
  input: jsonObjectSchema.optional(),
  by: responderSchema.pick({ person: true, at: true }).optional(),
  /** What people and the program have written under it, oldest first. None of it is an answer. */
  comments: z
    .array(
      commentSchema
        .omit({ by: true })
        .extend({ by: responderSchema.pick({ person: true, at: true }) }),
    )
    .optional(),
  /** Why it can no longer be answered. */
  closedReason: z.string().optional(),
  /** There where the ask named one. */
  callback: askCallbackSchema.optional(),
});
export type Ask = z.infer<typeof askSchema>;

/** Frame of the event stream of an ask. */
export const askFrameSchema = z.object({ type: z.literal("ask_changed"), ask: askSchema });

/** A time such as `30s`, `500ms` or `1m`, as milliseconds. */
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
  /** How long to wait for the end of it; then it is as it is. Default: not at all. */
  wait: waitSchema.optional(),
  /** With `wait`: so many comments are known, so the wait also ends when there are more. Default: it does not. */
  comments: z.coerce.number().int().min(0).max(1000).optional(),
});
