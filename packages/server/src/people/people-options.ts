import { type Role, urlAt } from "@holdpoint/protocol";

/** Admits people with exactly this subject, address or group of the issuer, with the given role. */
export type Admission = { readonly role: Role } & (
  | { readonly subject: string }
  /** Only matches an address that the issuer reports as verified. */
  | { readonly email: string }
  | { readonly group: string }
);

/** An OpenID Connect issuer, where people sign in. */
export interface IssuerOptions {
  /** The issuer identifier, exactly as in its metadata, such as `https://login.example.org`. */
  readonly issuer: string;
  /** The issuer's id in the gateway's URLs. Default: the issuer's host. */
  readonly id?: string | undefined;
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret?: string | undefined;
  /** The name shown to people. Default: its host. */
  readonly name?: string | undefined;
  /** Requested in addition to `openid`. Default: `profile` and `email`. */
  readonly scopes?: readonly string[] | undefined;
  /** The claim with the person's groups. Default: `groups`. */
  readonly groupsClaim?: string | undefined;
  /** The people to admit. Default: no one. */
  readonly admit?: readonly Admission[] | undefined;
}

export interface PeopleOptions {
  readonly issuers: readonly IssuerOptions[];
  /** Days after which a person has to sign in again, on any device. Default 7. */
  readonly maxAgeDays?: number | undefined;
  /** Groups that new sessions are given to. With several issuers, each group needs its `issuer`. */
  readonly newSessionsFor?:
    | readonly { readonly group: string; readonly issuer?: string | undefined }[]
    | undefined;
  /**
   * Groups used elsewhere than in `admit`, such as in answer policies. If a person has too many groups to keep them
   * all, these are kept too.
   */
  readonly groups?: readonly string[] | undefined;
  /** 32 secret bytes, the same across restarts. */
  readonly key: Uint8Array;
}

export const DEFAULT_MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long an issuer's confirmation of a person lasts, in milliseconds. */
export function maxAgeMsOf({ maxAgeDays = DEFAULT_MAX_AGE_DAYS }: PeopleOptions): number {
  return maxAgeDays * DAY_MS;
}

/** The issuer's id in the gateway's URLs. */
export function issuerIdOf({ id, issuer }: Pick<IssuerOptions, "id" | "issuer">): string {
  return id ?? new URL(issuer).host.replace(":", "-");
}

/**
 * The redirect URI to register at an issuer. It differs per issuer, so that one issuer's answer is never taken for
 * another's.
 */
export function redirectUriOf({
  pageUrl,
  issuerId,
}: {
  /** The base URL of the gateway's page. */
  readonly pageUrl: string;
  readonly issuerId: string;
}): string {
  return urlAt(pageUrl, `/signed-in/${encodeURIComponent(issuerId)}`);
}
