import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { signedInAsSchema } from "./responders.ts";
import { roleSchema } from "./role.ts";

/** Who calls, as the gateway knows them. */
export const personSchema = z.object({
  person: z.string(),
  /** Absent for whom a launch link or the gateway's own terminal has signed in. */
  personId: idSchema.optional(),
  role: roleSchema,
  /** Until when counts what an issuer has said of the person. Each sign-in renews it, for all of their devices. */
  signInEndsAt: instantSchema.optional(),
  /** What the issuer says of the person. */
  signIn: signedInAsSchema.optional(),
});
export type Person = z.infer<typeof personSchema>;

/**
 * What tells a person from every other: the id of who signed in at an issuer, the name of everybody else. An id begins as
 * no name of a system's account does, so nobody can be called what another one is.
 */
export function personKeyOf({
  personId,
  person,
}: {
  readonly person: string;
  readonly personId?: string | undefined;
}): string {
  return personId ?? person;
}
