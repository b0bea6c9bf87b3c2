import { z } from "zod";

import { idSchema } from "./primitives.ts";

const nameSchema = z.string().min(1).max(256);
/** The address of the issuer that says so. Config and requests need it only where there are several. */
const issuer = { issuer: nameSchema.optional() };

/**
 * Who may answer: one person, by the verified address (a text with `@`), the issuer's `subject`, or the `personId`; or
 * everybody in a group.
 */
export const namedSchema = z.union([
  z.strictObject({ person: nameSchema, ...issuer }),
  z.strictObject({ group: nameSchema, ...issuer }),
]);
export type Named = z.infer<typeof namedSchema>;

const MAX_STEP_MS = 30 * 24 * 60 * 60 * 1000;
const whoSchema = z.array(namedSchema).min(1).max(64);
const stepSchema = z.strictObject({
  /** They may answer as well, from then on. */
  who: whoSchema,
  /** After the interaction was asked. */
  afterMs: z.int().min(1000).max(MAX_STEP_MS),
});
const stepsSchema = z.array(stepSchema).max(8);

/** Who may answer what is asked, as config, tools and requests say it. Of several, each has to let a person answer. */
export const responderPolicySchema = z
  .strictObject({
    /** Default: everybody with the role `responder`. */
    who: whoSchema.optional(),
    /** So many people have to say yes. One no is enough. Default: 1. */
    need: z.int().min(1).max(16).optional(),
    /** Who asked the agent for it cannot say yes. */
    notRequester: z.boolean().optional(),
    /** Adds people after some time. */
    steps: stepsSchema.optional(),
  })
  .refine(({ who, steps }) => steps === undefined || who !== undefined, {
    message: "`steps` add people to `who`, and there is none.",
  });
export type ResponderPolicy = z.infer<typeof responderPolicySchema>;

const circleSchema = z.object({ who: whoSchema, steps: stepsSchema.optional() });
/** People of whom each one may answer. */
export type Circle = z.infer<typeof circleSchema>;

/**
 * Why nobody can say yes. `nobody_signs_in`: the gateway has no issuer; `requester_unknown`: who asked for it has signed in at
 * none; `too_few`: it needs more people than it names; `issuer_unclear`: it does not say which of several issuers it means.
 */
export const blockSchema = z.enum([
  "nobody_signs_in",
  "requester_unknown",
  "too_few",
  "issuer_unclear",
]);
export type Block = z.infer<typeof blockSchema>;

/** Who may answer an interaction. It is written when it is asked, and never changes. */
export const respondersSchema = z.object({
  /** A person must be in each of them. Without any: everybody with the role `responder`. */
  circles: z.array(circleSchema).max(8),
  /** So many people have to say yes, with one and the same digest. Absent: one. */
  need: z.int().min(2).optional(),
  /** Ids of the people who asked for it: they cannot say yes. */
  requesters: z.array(idSchema).optional(),
  blocked: blockSchema.optional(),
});
export type Responders = z.infer<typeof respondersSchema>;

/** What the issuer of a person says of them. */
export const signedInAsSchema = z.object({
  issuer: z.string(),
  /** The issuer's own name for the person. */
  subject: z.string(),
  /** Absent unless the issuer says that it is verified. */
  email: z.string().optional(),
  groups: z.array(z.string()),
});
export type SignedInAs = Readonly<Omit<z.infer<typeof signedInAsSchema>, "groups">> & {
  readonly groups: readonly string[];
};
