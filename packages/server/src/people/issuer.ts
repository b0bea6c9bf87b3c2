import { type Clock, Lifetime } from "@holdpoint/engine";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
  type ServerMetadata,
} from "openid-client";

import { boundedFetchFor } from "./bounded-fetch.ts";
import type { IssuerOptions, PeopleOptions } from "./people-options.ts";
import { type Claims, readClaims, type Statement } from "./read-claims.ts";
import type { BegunState } from "./sign-in-states.ts";

/** How long an issuer's metadata is cached. */
const METADATA_MS = 10 * 60_000;
/** The tolerated clock difference, in seconds. */
const CLOCK_TOLERANCE_S = 60;
const TIMEOUT_S = 10;
const DEFAULT_SCOPES = ["profile", "email"];

/** An issuer, and the groups to keep in addition to those in its `admit`. */
type IssuerParts = IssuerOptions & Pick<PeopleOptions, "groups">;

/** One OpenID Connect issuer, used with the authorization code flow, PKCE, a state and a nonce. */
export class Issuer {
  readonly #options: IssuerParts;
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  #known: { readonly metadata: Promise<ServerMetadata>; readonly lifetime: Lifetime } | undefined;

  constructor(options: IssuerParts, clock: Pick<Clock, "now" | "monotonic">) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Returns the authorization URL for the browser. Rejects, with `IssuerDown` among the causes, when the issuer is
   * unavailable.
   */
  async begin({ state, verifier, nonce }: BegunState, redirectUri: string): Promise<URL> {
    const { scopes = DEFAULT_SCOPES } = this.#options;
    return buildAuthorizationUrl(await this.#configure(), {
      redirect_uri: redirectUri,
      scope: [...new Set(["openid", ...scopes])].join(" "),
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
  }

  /** Exchanges the issuer's answer for its signed statement. Rejects when any check fails. */
  async finish({ state, verifier, nonce }: BegunState, answer: URL): Promise<Statement> {
    const configuration = await this.#configure();
    const tokens = await authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || claims.sub === "") throw new Error("The issuer did not name a person.");
    assertMeant(claims, this.#options.clientId);
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const asked: Claims = hasMore
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
    const { groupsClaim = "groups", admit = [], groups = [] } = this.#options;
    const admitted = admit.flatMap((each) => ("group" in each ? each.group : []));
    const named = new Set([...admitted, ...groups]);
    return readClaims(claims.sub, claims, asked, { claim: groupsClaim, named });
  }

  /** Creates a configuration for one use. It fetches the issuer's keys again, so that they may change at any time. */
  async #configure(): Promise<Configuration> {
    const metadata = await this.#metadata();
    const { clientId, clientSecret } = this.#options;
    const auth = authenticationOf(metadata, clientSecret);
    const configuration = new Configuration(
      metadata,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_S },
      auth,
    );
    enableNonRepudiationChecks(configuration);
    // `boundedFetchFor` checks the addresses.
    allowInsecureRequests(configuration);
    configuration[customFetch] = boundedFetchFor(this.#options.issuer);
    configuration.timeout = TIMEOUT_S;
    return configuration;
  }

  /** The issuer's metadata, fetched once for concurrent sign-ins. A failure is not cached. */
  async #metadata(): Promise<ServerMetadata> {
    if (this.#known?.lifetime.isOver) this.#known = undefined;
    const known = (this.#known ??= {
      metadata: this.#discover(),
      lifetime: new Lifetime(this.#clock, METADATA_MS),
    });
    try {
      return await known.metadata;
    } catch (error: unknown) {
      if (this.#known === known) this.#known = undefined;
      throw error;
    }
  }

  async #discover(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#options;
    const found = await discovery(new URL(issuer), clientId, undefined, None(), {
      execute: [allowInsecureRequests],
      [customFetch]: boundedFetchFor(issuer),
      timeout: TIMEOUT_S,
    });
    return { ...found.serverMetadata() };
  }
}

/** Checks what the library does not: the authorized party of a single audience, and a time of issue in the future. */
function assertMeant(
  { azp, iat }: { readonly azp?: unknown; readonly iat: number },
  clientId: string,
) {
  if (azp !== undefined && azp !== clientId) {
    throw new Error("The statement is for another client.");
  }
  // The system's clock, as in the library's own checks.
  const latestS = new Date().getTime() / 1000 + CLOCK_TOLERANCE_S;
  if (iat > latestS) throw new Error("The statement's issue time is in the future.");
}

/** Chooses a method of client authentication that the issuer supports. Most support both. */
function authenticationOf(
  { token_endpoint_auth_methods_supported: supported = ["client_secret_basic"] }: ServerMetadata,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return None();
  return supported.includes("client_secret_basic")
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret);
}
