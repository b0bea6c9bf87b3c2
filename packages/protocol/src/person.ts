import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { signedInAsSchema } from "./responders.ts";
import { roleSchema } from "./role.ts";

/** The caller, as known to the gateway. */
export const personSchema = z.object({
  person: z.string(),
  /** Absent for a person signed in by a launch link or the gateway's terminal. */
  personId: idSchema.optional(),
  role: roleSchema,
  /** When the issuer's claims about the person expire. Each sign-in renews them for all of their devices. */
  signInEndsAt: instantSchema.optional(),
  /** The issuer's claims about the person. */
  signIn: signedInAsSchema.optional(),
});
export type Person = z.infer<typeof personSchema>;
