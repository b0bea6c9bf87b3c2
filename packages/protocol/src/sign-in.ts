import { z } from "zod";

import { idSchema } from "./primitives.ts";

/** The issuers that people can sign in with. Empty on a gateway for one person. */
export const issuerListSchema = z.object({
  items: z.array(
    z.object({
      issuerId: idSchema,
      /** The display name, such as `Example Ltd`. */
      name: z.string(),
    }),
  ),
});
export type IssuerList = z.infer<typeof issuerListSchema>;

export const beginSignInBodySchema = z.strictObject({ issuerId: idSchema });
export const begunSignInSchema = z.object({
  /** The address for the browser to visit. */
  url: z.string(),
  /** The value that the issuer sends back, by which the browser recognizes its sign-in. */
  state: z.string(),
});
export type BegunSignIn = z.infer<typeof begunSignInSchema>;

export const finishSignInBodySchema = z.strictObject({
  /** The issuer, taken from the page address to which the browser returned. */
  issuerId: idSchema,
  /** The unchanged query of that address. */
  answer: z.string().min(1).max(8192),
  /** The device's name for itself. */
  label: z.string().min(1).max(100).optional(),
  /** The id of this browser's previous device. It is signed out if it belongs to the same person. */
  replaces: idSchema.optional(),
});
export type FinishSignInBody = z.infer<typeof finishSignInBodySchema>;
