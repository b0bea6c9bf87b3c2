import type { GivenGroup, Role } from "@holdpoint/protocol";

import type { SignIn } from "./credential-store.ts";

/** The people of a gateway, for deciding who may answer and who sees which sessions. */
export interface PeoplePort {
  /** Addresses of the issuers that people sign in with, as the issuers name themselves. */
  readonly issuers: readonly string[];
  /** The groups that the config names. */
  readonly groups: readonly GivenGroup[];
  /** The groups that a new session is given to. */
  readonly newSessionsFor: readonly GivenGroup[];
  /** The current role of a person with these claims; `undefined`: no access. */
  roleOf(signIn: SignIn): Role | undefined;
}

/** For a gateway without sign-in. */
export const NO_PEOPLE: PeoplePort = {
  issuers: [],
  groups: [],
  newSessionsFor: [],
  roleOf: () => undefined,
};
