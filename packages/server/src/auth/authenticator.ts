import type { Clock, Credential as KnownCredential, Credentials } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import type { AgentTokens } from "./agent-tokens.ts";
import { type CredentialLifetimes, endOf } from "./credential-lifetimes.ts";
import type { FailureLimiter } from "./failure-limiter.ts";
import { equalHashes, hashSecret } from "./secrets.ts";

const TOUCH_INTERVAL_MS = 60_000;
const MAX_TOKEN_LENGTH = 512;

/** Who a request comes from, by the token that it carries. */
export interface Credential extends Pick<
  KnownCredential,
  "kind" | "label" | "person" | "scope" | "sessionId" | "tokenId"
> {
  readonly principal: "agent" | "person";
  /** The gateway has started this agent itself. */
  readonly isOwnAgent?: boolean;
}

export interface AuthenticatorOptions {
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly limiter: FailureLimiter;
  /** Of the agents that the gateway has started itself. */
  readonly agentTokens: AgentTokens;
  /** Name of the person whom launch codes and the configured token stand for. */
  readonly personName: string;
  readonly lifetimes: CredentialLifetimes;
  /** A token from the gateway's own configuration; never stored, cannot be revoked. */
  readonly personToken?: string | undefined;
}

/** Turns bearer tokens into credentials, and redeemed launch codes into bearer tokens. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #configuredHash: string | undefined;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#configuredHash = options.personToken && hashSecret(options.personToken);
  }

  /**
   * The credential of an `Authorization` header. Rejects with `UNAUTHENTICATED`, with `CREDENTIAL_ENDED`, with
   * `RATE_LIMITED` when it is unknown and its address is blocked, and with `StoreError`.
   */
  async authenticate(
    authorization: string | undefined,
    address: string | undefined,
  ): Promise<Credential> {
    if (authorization === undefined) {
      throw new ProtocolError("UNAUTHENTICATED", "A bearer token is needed.");
    }
    const token = /^Bearer +([\w\-.~+/]+=*)$/i.exec(authorization)?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) {
      throw new ProtocolError("UNAUTHENTICATED", "The Authorization header is not `Bearer TOKEN`.");
    }
    return this.authenticateToken(token, address);
  }

  /** The credential of a token that came without a header; rejects as `authenticate` does. */
  async authenticateToken(
    token: string | undefined,
    address: string | undefined,
  ): Promise<Credential> {
    if (token === undefined) {
      throw new ProtocolError("UNAUTHENTICATED", "A bearer token is needed.");
    }
    const credential = await this.#find(hashSecret(token));
    if (!credential) {
      this.#options.limiter.countFailure(address, token);
      throw new ProtocolError("UNAUTHENTICATED", "This token is not known; it may be revoked.");
    }
    return credential;
  }

  /** A new token for the person's device. The token itself is only in this result. */
  async issueToken(label: string): Promise<{ token: string; tokenId: string; person: string }> {
    const person = this.#options.personName;
    const { token, credential } = await this.#options.credentials.issue({
      kind: "device",
      person,
      label,
    });
    return { token, tokenId: credential.tokenId, person };
  }

  /** A new token for the agent of a session that somebody else starts. The token itself is only in this result. */
  async issueAgentToken(agent: {
    readonly label: string;
    readonly person: string;
    readonly sessionId: string;
  }): Promise<{ token: string; tokenId: string }> {
    const { token, credential } = await this.#options.credentials.issue({
      kind: "agent",
      ...agent,
    });
    return { token, tokenId: credential.tokenId };
  }

  async #find(tokenHash: string): Promise<Credential | undefined> {
    if (this.#configuredHash !== undefined && equalHashes(this.#configuredHash, tokenHash)) {
      return {
        tokenId: "configured",
        kind: "program",
        principal: "person",
        scope: "respond",
        person: this.#options.personName,
        label: "Configured token",
      };
    }
    const ownAgent = this.#options.agentTokens.find(tokenHash);
    if (ownAgent) return ownAgent;
    const stored = await this.#options.credentials.findByHash(tokenHash);
    if (!stored) return undefined;
    await this.#assertLasts(stored);
    await this.#touch(stored);
    return { ...stored, principal: stored.kind === "agent" ? "agent" : "person" };
  }

  /** Forgets a credential that has ended, and throws `CREDENTIAL_ENDED`. */
  async #assertLasts(credential: KnownCredential): Promise<void> {
    const { credentials, clock, lifetimes } = this.#options;
    if (endOf(credential, lifetimes) > clock.now()) return;
    await credentials.revoke(credential.tokenId);
    throw new ProtocolError("CREDENTIAL_ENDED", "This sign-in has ended. Sign in again.");
  }

  async #touch({ tokenId, lastUsedAtMs = 0 }: KnownCredential): Promise<void> {
    const now = this.#options.clock.now();
    if (now - lastUsedAtMs >= TOUCH_INTERVAL_MS) {
      await this.#options.credentials.touch(tokenId, now);
    }
  }
}
