import type {
  Clock,
  Credential as KnownCredential,
  Credentials,
  Holder,
  SignIn,
} from "@holdpoint/engine";
import { ProtocolError, type Role } from "@holdpoint/protocol";

import type { AgentTokens } from "./agent-tokens.ts";
import {
  type CredentialLifetimes,
  endedError,
  endOf,
  endWhileOpenOf,
  signInEndOf,
} from "./credential-lifetimes.ts";
import type { Credential } from "./credential.ts";
import type { FailureLimiter } from "./failure-limiter.ts";
import type { ProofNonces } from "./proof-nonces.ts";
import { type Proof, type ProvenRequest, readProof, refusedProof } from "./read-proof.ts";
import { equalHashes, hashSecret } from "./secrets.ts";
import { signedInOf } from "./signed-in-of.ts";

const TOUCH_INTERVAL_MS = 60_000;
const MAX_TOKEN_LENGTH = 512;
const MAX_ENDED = 1000;

/** The credential and address of a request. */
export interface PresentedCredential extends Pick<ProvenRequest, "method" | "path"> {
  readonly token: string | undefined;
  /** The proof of the device's key. */
  readonly proof: string | undefined;
  readonly address: string | undefined;
}

export interface AuthenticatorOptions {
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly limiter: FailureLimiter;
  /** Tokens of the agents that this gateway starts. */
  readonly agentTokens: AgentTokens;
  readonly nonces: ProofNonces;
  /** The base URLs of the gateway's own pages. Empty until it listens. */
  readonly pageUrls: ReadonlySet<string>;
  readonly lifetimes: CredentialLifetimes;
  /** Name of the person that launch codes and the configured token stand for. */
  readonly personName: string;
  /** The role that the config gives a person signed in by an issuer. `undefined`: the person is not admitted. */
  readonly roleOf: (signIn: SignIn) => Role | undefined;
  /** A token from the gateway's configuration. It is never stored and cannot be revoked. */
  readonly personToken?: string | undefined;
  /** Called when a use could not be recorded, such as on a full disk. The next use tries again. */
  readonly onUnnoted: (error: unknown) => void;
}

/** Verifies tokens and device proofs, and issues device tokens. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #configuredHash: string | undefined;
  /**
   * Hashes of the last tokens used after their end. A page sends several requests at once, and each must get
   * `CREDENTIAL_ENDED`.
   */
  readonly #ended = new Set<string>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#configuredHash = options.personToken && hashSecret(options.personToken);
  }

  /**
   * Returns the credential of a request. It is looked up before the address is checked, so that a valid credential is
   * never refused because of wrong ones. Rejects with `UNAUTHENTICATED`, `CREDENTIAL_ENDED`, `PROOF_REQUIRED`,
   * `PROOF_REFUSED` or `PROOF_STALE`, with `RATE_LIMITED` when it is unknown and its address is blocked, and with
   * `StoreError`.
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
   * Returns the current state of a credential that was already authenticated, for a request whose body arrived later.
   * The proof is not checked again, because it is used up. Rejects like `authenticate` when the credential is no longer
   * valid.
   */
  async authenticateAgain(token: string | undefined, before: Credential): Promise<Credential> {
    const tokenHash = hashSecret(token ?? "");
    const unstored = this.#findUnstored(tokenHash);
    if (unstored) return unstored;
    const known = await this.#options.credentials.findByHash(tokenHash);
    if (!known) {
      throw new ProtocolError("UNAUTHENTICATED", "This token was revoked during the request.");
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
   * Verifies the proof of a device that has no token yet. Throws `PROOF_REQUIRED`, `PROOF_REFUSED` or `PROOF_STALE`.
   */
  proveKey(proof: string | undefined, request: Pick<ProvenRequest, "method" | "path">): Proof {
    if (proof === undefined) {
      throw new ProtocolError(
        "PROOF_REQUIRED",
        "Signing in needs a proof of the device's key. A program needs its own token.",
      );
    }
    const read = readProof(proof, { ...request, pageUrls: this.#options.pageUrls });
    this.#useUp(read);
    return read;
  }

  /**
   * Issues a token for the device with this key. Without a holder it belongs to the gateway's owner. The token is only
   * in this result.
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

  /** Verifies a device's proof. Programs and agents must not send one. */
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
        "This token belongs to a device, and does not work without a proof of its key.",
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

  /**
   * Returns the person's current role. Revokes the credential and throws `UNAUTHENTICATED` when the person is no longer
   * admitted.
   */
  async #admit({ signIn, personId, tokenId }: KnownCredential): Promise<Role> {
    if (signIn === undefined && personId === undefined) return "owner";
    const role = signIn && this.#options.roleOf(signIn);
    if (role !== undefined) return role;
    await this.#options.credentials.revoke(tokenId);
    throw new ProtocolError("UNAUTHENTICATED", "This person no longer has access.");
  }

  /** Revokes an expired credential and throws `CREDENTIAL_ENDED`. */
  async #assertLasts(credential: KnownCredential): Promise<void> {
    const { credentials, clock, lifetimes } = this.#options;
    if (endOf(credential, lifetimes) > clock.now()) return;
    this.#ended.add(credential.tokenHash);
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size > MAX_ENDED) this.#ended.delete(oldest);
    await credentials.revoke(credential.tokenId);
    throw endedError();
  }

  /** Records the use. A failure does not reject: without the record the credential ends earlier, never later. */
  async #touch({ tokenId, lastUsedAtMs = 0 }: KnownCredential): Promise<void> {
    const { clock, credentials, onUnnoted } = this.#options;
    const now = clock.now();
    if (now - lastUsedAtMs < TOUCH_INTERVAL_MS) return;
    await credentials.touch(tokenId, now).catch(onUnnoted);
  }
}

/**
 * Returns the token of an `Authorization` header. Throws `UNAUTHENTICATED` for a header without a token, and
 * `PROOF_REQUIRED` for the `DPoP` scheme without a proof.
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
