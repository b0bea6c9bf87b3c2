import type {
  Clock,
  Credential as KnownCredential,
  Credentials,
  Holder,
  SignIn,
} from "@holdpoint/engine";
import { ProtocolError, type Role, type SignedIn } from "@holdpoint/protocol";

import type { AgentTokens } from "./agent-tokens.ts";
import {
  type CredentialLifetimes,
  endedError,
  endOf,
  endWhileOpenOf,
  signInEndOf,
} from "./credential-lifetimes.ts";
import type { FailureLimiter } from "./failure-limiter.ts";
import type { ProofNonces } from "./proof-nonces.ts";
import { type Proof, type ProvenRequest, readProof, refusedProof } from "./read-proof.ts";
import { equalHashes, hashSecret } from "./secrets.ts";
import { signedInOf } from "./signed-in-of.ts";

const TOUCH_INTERVAL_MS = 60_000;
const MAX_TOKEN_LENGTH = 512;
const MAX_ENDED = 1000;

/** Who a request comes from, by the token that it carries. */
export interface Credential extends Pick<
  KnownCredential,
  "kind" | "label" | "person" | "personId" | "scope" | "sessionId" | "signIn" | "tokenId"
> {
  readonly principal: "agent" | "person";
  /** What its person may do. An agent's says nothing of what the agent may do. */
  readonly role: Role;
  /** The gateway has started this agent itself. */
  readonly isOwnAgent?: boolean;
  /** What a device's proof says of its request; `undefined` for everybody else. */
  readonly proof?: Proof;
  readonly signedIn?: SignedIn | undefined;
  /** When what it has open ends, in milliseconds since the epoch. Absent: never by itself. */
  readonly endsAtMs?: number;
  /** Until when counts what an issuer has said of the person, in milliseconds since the epoch. */
  readonly signInEndsAtMs?: number;
}

/** What came with a request. */
export interface PresentedCredential extends Pick<ProvenRequest, "method" | "path"> {
  readonly token: string | undefined;
  /** Of a device's key. */
  readonly proof: string | undefined;
  readonly address: string | undefined;
}

export interface AuthenticatorOptions {
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly limiter: FailureLimiter;
  /** Of the agents that the gateway has started itself. */
  readonly agentTokens: AgentTokens;
  readonly nonces: ProofNonces;
  /** The addresses of this gateway's own pages, once it listens. */
  readonly pageUrls: ReadonlySet<string>;
  readonly lifetimes: CredentialLifetimes;
  /** Name of the person whom launch codes and the configured token stand for. */
  readonly personName: string;
  /** What the config lets a person do who signed in at an issuer. `undefined`: not come in. */
  readonly roleOf: (signIn: SignIn) => Role | undefined;
  /** A token from the gateway's own configuration; never stored, cannot be revoked. */
  readonly personToken?: string | undefined;
  /** That a use could not be noted, such as on a full disk. It is tried again with the next one. */
  readonly onUnnoted: (error: unknown) => void;
}

/** Turns tokens, and the proofs of devices, into credentials, and redeemed launch codes into the tokens of devices. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #configuredHash: string | undefined;
  /** Hashes of the last tokens that came after their end: a page asks several times at once, and each time hears why. */
  readonly #ended = new Set<string>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#configuredHash = options.personToken && hashSecret(options.personToken);
  }

  /**
   * The credential that a request came with. It is looked up first, so that a right one is never refused because others
   * were wrong. Rejects with `UNAUTHENTICATED`, `CREDENTIAL_ENDED`, `PROOF_REQUIRED`, `PROOF_REFUSED` or `PROOF_STALE`,
   * with `RATE_LIMITED` when it is unknown and its address is blocked, and with `StoreError`.
   */
  async authenticate(presented: PresentedCredential): Promise<Credential> {
    const { token, proof, address } = presented;
    if (token === undefined) {
      throw new ProtocolError("UNAUTHENTICATED", "A token is needed.");
    }
    const tokenHash = hashSecret(token);
    const credential = this.#findUnstored(tokenHash);
    if (credential) {
      if (proof !== undefined) throw refusedProof();
      return credential;
    }
    const known = await this.#options.credentials.findByHash(tokenHash);
    if (!known) {
      if (this.#ended.has(tokenHash)) throw endedError();
      this.#options.limiter.countFailure(address, token);
      throw new ProtocolError("UNAUTHENTICATED", "This token is not known; it may be revoked.");
    }
    const role = await this.#admit(known);
    await this.#assertLasts(known);
    const proven = this.#prove(known, presented);
    await this.#touch(known);
    return { ...this.#toCredential(known, role), ...(proven && { proof: proven }) };
  }

  /**
   * The credential as it is by now, of a request that was under way meanwhile: its proof was used before. Rejects as
   * `authenticate` does where it is known no more.
   */
  async authenticateAgain(token: string | undefined, before: Credential): Promise<Credential> {
    const tokenHash = hashSecret(token ?? "");
    const unstored = this.#findUnstored(tokenHash);
    if (unstored) return unstored;
    const known = await this.#options.credentials.findByHash(tokenHash);
    if (!known) {
      throw new ProtocolError("UNAUTHENTICATED", "This token was revoked meanwhile.");
    }
    const role = await this.#admit(known);
    await this.#assertLasts(known);
    return { ...this.#toCredential(known, role), ...(before.proof && { proof: before.proof }) };
  }

  #toCredential(known: KnownCredential, role: Role): Credential {
    const { lifetimes } = this.#options;
    return {
      ...known,
      principal: known.kind === "agent" ? "agent" : "person",
      role,
      signedIn: signedInOf(known),
      endsAtMs: endWhileOpenOf(known, lifetimes),
      ...(known.signIn && { signInEndsAtMs: signInEndOf(known, lifetimes) }),
    };
  }

  /**
   * The proof of a request whose device has no token yet. Throws `PROOF_REQUIRED`, `PROOF_REFUSED` and `PROOF_STALE`.
   */
  proveKey(proof: string | undefined, request: Pick<ProvenRequest, "method" | "path">): Proof {
    if (proof === undefined) {
      throw new ProtocolError(
        "PROOF_REQUIRED",
        "Signing in needs a proof of the device's key. A program needs a token of its own.",
      );
    }
    const read = readProof(proof, { ...request, pageUrls: this.#options.pageUrls });
    this.#useUp(read);
    return read;
  }

  /**
   * A new token for the device that has this key; without a holder for one of the gateway's owner. The token itself is only in
   * this result.
   */
  async issueDeviceToken(
    device: Required<Pick<KnownCredential, "keyThumbprint" | "label" | "signedInBy">>,
    holder: Holder = { person: this.#options.personName },
  ): Promise<{ token: string; tokenId: string; person: string }> {
    const wanted = { kind: "device", ...holder, ...device } as const;
    const { token, credential } = await this.#options.credentials.issue(wanted);
    return { token, tokenId: credential.tokenId, person: holder.person };
  }

  #findUnstored(tokenHash: string): Credential | undefined {
    if (this.#configuredHash !== undefined && equalHashes(this.#configuredHash, tokenHash)) {
      return {
        tokenId: "configured",
        kind: "program",
        principal: "person",
        role: "owner",
        scope: "respond",
        signedIn: { how: "configured_token" },
        person: this.#options.personName,
        label: "Configured token",
      };
    }
    return this.#options.agentTokens.find(tokenHash);
  }

  /** The proof of a device. Everybody else has none and needs none. */
  #prove(
    { kind, keyThumbprint }: KnownCredential,
    { token, proof, method, path, address }: PresentedCredential,
  ): Proof | undefined {
    if (kind !== "device") {
      if (proof !== undefined) throw refusedProof();
      return undefined;
    }
    if (proof === undefined) {
      throw new ProtocolError(
        "PROOF_REQUIRED",
        "This token belongs to a device, and is worth nothing without a proof of its key.",
      );
    }
    const { pageUrls, limiter } = this.#options;
    try {
      const read = readProof(proof, {
        method,
        path,
        pageUrls,
        ...(token !== undefined && { token }),
      });
      if (read.thumbprint !== keyThumbprint) throw refusedProof();
      this.#useUp(read);
      return read;
    } catch (error: unknown) {
      if (ProtocolError.isInstance(error) && error.code === "PROOF_REFUSED") {
        limiter.countFailure(address, proof);
      }
      throw error;
    }
  }

  #useUp({ claims: { nonce, jti } }: Proof): void {
    switch (this.#options.nonces.use(nonce, jti)) {
      case "fresh":
        return;
      case "replayed":
        throw refusedProof();
      case "stale":
        throw new ProtocolError("PROOF_STALE", "The proof has an old nonce.");
    }
  }

  /** What the person may do now. Forgets what is of somebody who may no longer come in, and throws `UNAUTHENTICATED`. */
  async #admit({ signIn, personId, tokenId }: KnownCredential): Promise<Role> {
    if (signIn === undefined && personId === undefined) return "owner";
    const role = signIn && this.#options.roleOf(signIn);
    if (role !== undefined) return role;
    await this.#options.credentials.revoke(tokenId);
    throw new ProtocolError("UNAUTHENTICATED", "This person may not come in any more.");
  }

  /** Forgets a credential that has ended, and throws `CREDENTIAL_ENDED`. */
  async #assertLasts(credential: KnownCredential): Promise<void> {
    const { credentials, clock, lifetimes } = this.#options;
    if (endOf(credential, lifetimes) > clock.now()) return;
    this.#ended.add(credential.tokenHash);
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#ended.delete(oldest);
    await credentials.revoke(credential.tokenId);
    throw endedError();
  }

  /** A use that cannot be noted is allowed all the same: without the note the credential ends earlier, never later. */
  async #touch({ tokenId, lastUsedAtMs = 0 }: KnownCredential): Promise<void> {
    const { clock, credentials, onUnnoted } = this.#options;
    const now = clock.now();
    if (now - lastUsedAtMs < TOUCH_INTERVAL_MS) return;
    await credentials.touch(tokenId, now).catch(onUnnoted);
  }
}

/**
 * The token of an `Authorization` header. Throws `UNAUTHENTICATED` for a header that has none, and `PROOF_REQUIRED` for one
 * that announces a proof which did not come.
 */
export function tokenOf(
  authorization: string | undefined,
  proof: string | undefined,
): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme = "", token] = /^(Bearer|DPoP) +([\w\-.~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) {
    throw new ProtocolError(
      "UNAUTHENTICATED",
      "The Authorization header is neither `Bearer TOKEN` nor `DPoP TOKEN`.",
    );
  }
  if (scheme.toLowerCase() === "dpop" && proof === undefined) {
    throw new ProtocolError("PROOF_REQUIRED", "`DPoP TOKEN` needs a proof in the header `DPoP`.");
  }
  return token;
}
