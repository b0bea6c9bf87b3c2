import type { InteractionInput } from "../interaction-input.ts";
import type { Voter } from "../may-answer.ts";
import type { SignedInAs } from "../responders.ts";

export const HOME = "https://login.example";

/** A person signed in at an issuer. */
export function voter(name: string, changes: Partial<SignedInAs> = {}): Required<Voter> {
  const signIn = { issuer: HOME, subject: name, groups: [], ...changes };
  return { personId: `per_${name}_${signIn.issuer}`, signIn };
}

/** This person's response at that instant. */
export function said(
  { personId, signIn }: Required<Voter>,
  action: "approve" | "deny",
  at: string,
  more: Partial<Extract<InteractionInput, { type: "respond" }>> = {},
): Extract<InteractionInput, { type: "respond" }> {
  const by = { person: signIn?.subject ?? "", personId: personId ?? "", client: "phone", at };
  return { type: "respond", response: { action }, by, isResponder: true, ...more };
}
