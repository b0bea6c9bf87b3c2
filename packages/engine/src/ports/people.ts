import type { Role } from "@holdpoint/protocol";

import type { SignIn } from "./credential-store.ts";

/** The people of a gateway, as far as it depends on them who may answer. */
export interface PeoplePort {
  /** Addresses of the issuers that people sign in at, as they call themselves. */
  readonly issuers: readonly string[];
  /** What a person may do now of whom an issuer has said this; `undefined`: not come in. */
  roleOf(signIn: SignIn): Role | undefined;
}

/** For a gateway whose people sign in nowhere. */
export const NO_PEOPLE: PeoplePort = { issuers: [], roleOf: () => undefined };
