import type { GivenGroup, Role } from "@holdpoint/protocol";

import type { SignIn } from "./credential-store.ts";

/** The people of a gateway, as far as it depends on them who may answer, and who sees what. */
export interface PeoplePort {
  /** Addresses of the issuers that people sign in at, as they call themselves. */
  readonly issuers: readonly string[];
  /** The groups that the config names. */
  readonly groups: readonly GivenGroup[];
  /** The groups that sessions are given to when somebody starts them. */
  readonly newSessionsFor: readonly GivenGroup[];
  /** What a person may do now of whom an issuer has said this; `undefined`: not come in. */
  roleOf(signIn: SignIn): Role | undefined;
}

/** For a gateway whose people sign in nowhere. */
export const NO_PEOPLE: PeoplePort = {
  issuers: [],
  groups: [],
  newSessionsFor: [],
  roleOf: () => undefined,
};
