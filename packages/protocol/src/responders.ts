import { z } from "zod";

import { idSchema } from "./primitives.ts";

const nameSchema = z.string().min(1).max(256);
/** The address of the issuer. Config and requests need it only if there are several. */
const issuer = { issuer: nameSchema.optional() };

/**
 * The name of one person or of a group. A person is named by verified email address (a text with `@`), by the issuer's
 * `subject`, or by `personId`.
 */
export const namedSchema = z.union([
  z.strictObject({ person: nameSchema, ...issuer }),
  z.strictObject({ group: nameSchema, ...issuer }),
]);
export type Named = z.infer<typeof namedSchema>;

const MAX_STEP_MS = 30 * 24 * 60 * 60 * 1000;
const whoSchema = z.array(namedSchema).min(1).max(64);
const stepSchema = z.strictObject({
  /** People and groups that may answer as well, from this step on. */
  who: whoSchema,
  /** The time since the request. */
  afterMs: z.int().min(1000).max(MAX_STEP_MS),
});
const stepsSchema = z.array(stepSchema).max(8);

/** A policy for who may answer, used in config, tools and requests. Several policies must all let a person answer. */
export const responderPolicySchema = z
  .strictObject({
    /** Default: everyone with the role `responder`. */
    who: whoSchema.optional(),
    /** The number of people who must approve. One denial is enough. Default: 1. */
    need: z.int().min(1).max(16).optional(),
    /** The person who requested it from the agent cannot approve. */
    notRequester: z.boolean().optional(),
    /** Adds people after some time. */
    steps: stepsSchema.optional(),
  })
  .refine(({ who, steps }) => steps === undefined || who !== undefined, {
    message: "`steps` add people to `who`, and there is none.",
  });
export type ResponderPolicy = z.infer<typeof responderPolicySchema>;

const circleSchema = z.object({ who: whoSchema, steps: stepsSchema.optional() });
/** People and groups that may answer, with the steps that add more. */
export type Circle = z.infer<typeof circleSchema>;

/**
 * Why no one can approve. `nobody_signs_in`: the gateway has no issuer. `requester_unknown`: the requester has not
 * signed in at an issuer. `too_few`: more people are required than named. `issuer_unclear`: one of several issuers must
 * be specified.
 */
export const blockSchema = z.enum([
  "nobody_signs_in",
  "requester_unknown",
  "too_few",
  "issuer_unclear",
]);
export type Block = z.infer<typeof blockSchema>;

/** Who may answer an interaction. Fixed when it is requested, and never changed. */
export const respondersSchema = z.object({
  /** A person must be in each circle. Without circles: everyone with the role `responder`. */
  circles: z.array(circleSchema).max(8),
  /** The number of people who must approve the same digest. Absent: one. */
  need: z.int().min(2).optional(),
  /** The ids of the requesters, who cannot approve. */
  requesters: z.array(idSchema).optional(),
  blocked: blockSchema.optional(),
});
export type Responders = z.infer<typeof respondersSchema>;

/** An issuer's claims about a person. */
export const signedInAsSchema = z.object({
  issuer: z.string(),
  /** The issuer's identifier for the person. */
  subject: z.string(),
  /** Absent unless the issuer has verified it. */
  email: z.string().optional(),
  groups: z.array(z.string()),
});
export type SignedInAs = Readonly<Omit<z.infer<typeof signedInAsSchema>, "groups">> & {
  readonly groups: readonly string[];
};
