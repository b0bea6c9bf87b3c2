import type { ProgramScope } from "./http.ts";
import type { SignedInAs } from "./responders.ts";
import type { SignedIn } from "./response.ts";
import type { Role } from "./role.ts";

/** The caller of an operation. Authenticated by the transport, never taken from a body. */
export interface Caller {
  readonly principal: "person" | "agent";
  /** The person's name, which is stored with their answers. */
  readonly person: string;
  /** The unique id of a person who signed in at an issuer, independent of their name. */
  readonly personId?: string;
  /** The claims of the person's issuer. */
  readonly signIn?: SignedInAs;
  /** How the device or program was signed in. Absent for a program that embeds the gateway. */
  readonly signedIn?: SignedIn;
  /** The person's role. Absent for a program that embeds the gateway, which may do everything. */
  readonly role?: Role;
  /** When the sign-in of a person at an issuer ends. */
  readonly signInEndsAt?: string;
  /** The label of the device or program. */
  readonly client: string;
  readonly clientId?: string;
  /** The id of the call's credential. Absent for a program that embeds the gateway. */
  readonly tokenId?: string;
  /** The session of an agent's credential. Absent for a person. */
  readonly sessionId?: string;
  /** The trace of the call, in W3C Trace Context format. Never shown to anyone. */
  readonly traceparent?: string;
  /** The scope of a program's token. Devices and programs that embed the gateway have none, and are not limited. */
  readonly scope?: ProgramScope;
}
