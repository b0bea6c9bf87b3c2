import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import type { Clock } from "../ports/clock.ts";
import type { Credential, CredentialStore, SignIn } from "../ports/credential-store.ts";
import type { Ids } from "../ports/ids.ts";
import { CredentialSeal } from "./credential-seal.ts";

const KEY_BYTES = 32;

export interface CredentialsOptions {
  readonly store: CredentialStore;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
  /**
   * 32 bytes that only this gateway knows. Default: random, so credentials stored by another process are not accepted.
   */
  readonly key?: Uint8Array | undefined;
}

/** A credential to create. Its token, ids and times are generated. */
export type NewCredential = Omit<
  Credential,
  "createdAtMs" | "lastUsedAtMs" | "tokenHash" | "tokenId"
>;

/**
 * A gateway's credentials: the rows of its store that it has sealed. Other rows are ignored. Subscribers are notified
 * of each revocation. Rejects as the store does.
 */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #seal: CredentialSeal;
  readonly #onRevoked = new Set<(tokenId: string) => Promise<void>>();
  readonly #onConfirmed = new Set<() => void>();

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#seal = new CredentialSeal(
      options.key ?? crypto.getRandomValues(new Uint8Array(KEY_BYTES)),
    );
  }

  /** Creates a token and stores its hash. The token itself is only in this result. */
  async issue(
    wanted: NewCredential,
  ): Promise<{ readonly token: string; readonly credential: Credential }> {
    const { ids, clock } = this.#options;
    const token = ids.secret();
    const credential: Credential = {
      ...wanted,
      tokenId: ids.next("tok"),
      tokenHash: bytesToHex(sha256(utf8ToBytes(token))),
      createdAtMs: clock.now(),
    };
    await this.add(credential);
    return { token, credential };
  }

  async add(credential: Credential): Promise<void> {
    await this.#options.store.add(this.#seal.put(credential));
  }

  async findByHash(tokenHash: string): Promise<Credential | undefined> {
    const stored = await this.#options.store.findByHash(tokenHash);
    return stored?.tokenHash === tokenHash ? this.#seal.check(stored) : undefined;
  }

  async list(): Promise<readonly Credential[]> {
    const stored = await this.#options.store.list();
    return stored.flatMap((credential) => this.#seal.check(credential) ?? []);
  }

  touch(tokenId: string, usedAtMs: number): Promise<void> {
    return this.#options.store.touch(tokenId, usedAtMs);
  }

  /** Resolves to false when there is no such credential. */
  async rename(tokenId: string, label: string): Promise<boolean> {
    const known = (await this.list()).find((credential) => credential.tokenId === tokenId);
    return known ? this.#options.store.replace(this.#seal.put({ ...known, label })) : false;
  }

  /** Updates all credentials of a person with the issuer's current claims. Resolves to their ids. */
  async confirm(personId: string, signIn: SignIn): Promise<readonly string[]> {
    const own = (await this.list()).filter((credential) => credential.personId === personId);
    for (const credential of own) {
      await this.#options.store.replace(this.#seal.put({ ...credential, signIn }));
    }
    for (const run of this.#onConfirmed) run();
    return own.map(({ tokenId }) => tokenId);
  }

  /** Removes credentials that this gateway has not sealed. Resolves to their number. */
  async removeForeign(): Promise<number> {
    const { store } = this.#options;
    const foreign = (await store.list()).filter((stored) => !this.#seal.check(stored));
    for (const { tokenId } of foreign) await store.revoke(tokenId);
    return foreign.length;
  }

  /** Revokes a credential and ends everything opened with it. Resolves to false when there is no such credential. */
  async revoke(tokenId: string): Promise<boolean> {
    if (!(await this.#options.store.revoke(tokenId))) return false;
    await Promise.all([...this.#onRevoked].map((run) => run(tokenId)));
    return true;
  }

  /** Revokes the credentials of a session, so that none outlives it. */
  async revokeOfSession(sessionId: string): Promise<void> {
    const credentials = await this.list();
    for (const { tokenId } of credentials.filter((listed) => listed.sessionId === sessionId)) {
      await this.revoke(tokenId);
    }
  }

  /** Runs the callback whenever an issuer has confirmed a person's claims. */
  onConfirmed(run: () => void): Disposable {
    const call = (): void => run();
    this.#onConfirmed.add(call);
    return { [Symbol.dispose]: () => void this.#onConfirmed.delete(call) };
  }

  /**
   * Runs the callback with the id of each revoked credential, for example to close its streams. Revoking waits for it.
   */
  onRevoked(run: (tokenId: string) => Promise<void>): Disposable {
    this.#onRevoked.add(run);
    return { [Symbol.dispose]: () => void this.#onRevoked.delete(run) };
  }
}
