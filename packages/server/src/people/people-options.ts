import { type Role, urlAt } from "@holdpoint/protocol";

/** Who may come in: whom an issuer calls exactly so, with that role. */
export type Admission = { readonly role: Role } & (
  | { readonly subject: string }
  /** Counts only where the issuer says that it is verified. */
  | { readonly email: string }
  | { readonly group: string }
);

/** Where people prove who they are, by OpenID Connect. */
export interface IssuerOptions {
  /** Its address, exactly as it calls itself, such as `https://login.example.org`. */
  readonly issuer: string;
  /** What it has in the gateway's own addresses. Default: the issuer's host. */
  readonly id?: string | undefined;
  readonly clientId: string;
  /** Absent for a client that has none. */
  readonly clientSecret?: string | undefined;
  /** As people know it. Default: its host. */
  readonly name?: string | undefined;
  /** Asked for beside `openid`. Default: `profile` and `email`. */
  readonly scopes?: readonly string[] | undefined;
  /** The claim with the person's groups. Default: `groups`. */
  readonly groupsClaim?: string | undefined;
  /** Which of its people may come in. Default: nobody. */
  readonly admit?: readonly Admission[] | undefined;
}

export interface PeopleOptions {
  readonly issuers: readonly IssuerOptions[];
  /** Days after which a person has to sign in again, on any of their devices. Default 7. */
  readonly maxAgeDays?: number | undefined;
  /** Groups that sessions are given to when somebody starts them. With several issuers each names its own. */
  readonly newSessionsFor?:
    | readonly { readonly group: string; readonly issuer?: string | undefined }[]
    | undefined;
  /** Groups that count beside those of `admit`, such as for who may answer what: of very many they are kept as well. */
  readonly groups?: readonly string[] | undefined;
  /** 32 bytes that nothing but this gateway knows, the same after a restart. */
  readonly key: Uint8Array;
}

const DEFAULT_MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long what an issuer said of a person counts. */
export function maxAgeMsOf({ maxAgeDays = DEFAULT_MAX_AGE_DAYS }: PeopleOptions): number {
  return maxAgeDays * DAY_MS;
}

/** What an issuer has in the gateway's own addresses. */
export function issuerIdOf({ id, issuer }: Pick<IssuerOptions, "id" | "issuer">): string {
  return id ?? new URL(issuer).host.replace(":", "-");
}

/** The redirect URI to register at an issuer. Each issuer has its own, so an answer of one is never taken for another's. */
export function redirectUriOf({
  pageUrl,
  issuerId,
}: {
  /** Where people open the page of this gateway. */
  readonly pageUrl: string;
  readonly issuerId: string;
}): string {
  return urlAt(pageUrl, `/signed-in/${encodeURIComponent(issuerId)}`);
}
