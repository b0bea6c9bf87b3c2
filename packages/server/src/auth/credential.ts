import type { Credential as KnownCredential } from "@holdpoint/engine";
import type { Role, SignedIn } from "@holdpoint/protocol";

import type { Proof } from "./read-proof.ts";

/** The identity behind a request's token. */
export interface Credential extends Pick<
  KnownCredential,
  "kind" | "label" | "person" | "personId" | "scope" | "sessionId" | "signIn" | "tokenId"
> {
  readonly principal: "agent" | "person";
  /** The person's role. For an agent it has no meaning. */
  readonly role: Role;
  /** True for an agent that this gateway started. */
  readonly isOwnAgent?: boolean;
  /** The verified proof of a device's request; `undefined` for programs and agents. */
  readonly proof?: Proof;
  readonly signedIn?: SignedIn | undefined;
  /** When open streams end, in milliseconds since the epoch. Absent: they stay open. */
  readonly endsAtMs?: number;
  /** When the issuer's confirmation of the person expires, in milliseconds since the epoch. */
  readonly signInEndsAtMs?: number;
}
