import { z } from "zod";

import { idSchema } from "./primitives.ts";

/** The issuers that people can sign in with; none on a gateway of one person. */
export const issuerListSchema = z.object({
  items: z.array(
    z.object({
      issuerId: idSchema,
      /** As people know it, such as `Example Ltd`. */
      name: z.string(),
    }),
  ),
});
export type IssuerList = z.infer<typeof issuerListSchema>;

export const beginSignInBodySchema = z.strictObject({ issuerId: idSchema });
export const begunSignInSchema = z.object({
  /** Where the browser goes. */
  url: z.string(),
  /** What the issuer gives back; the browser that began knows it again. */
  state: z.string(),
});
export type BegunSignIn = z.infer<typeof begunSignInSchema>;

export const finishSignInBodySchema = z.strictObject({
  /** At whose own address of the page the browser came back. */
  issuerId: idSchema,
  /** The query of that address, as it was. */
  answer: z.string().min(1).max(8192),
  /** What this device calls itself. */
  label: z.string().min(1).max(100).optional(),
  /** The id of the device that this browser has been until now. It ends, if it is of the same person. */
  replaces: idSchema.optional(),
});
export type FinishSignInBody = z.infer<typeof finishSignInBodySchema>;
