/** The credentials that a client puts on a request. */
export interface Signature {
  readonly token?: string | undefined;
  /** The proof that this client holds the key of the token's device. */
  readonly proof?: string;
}

/** The part of a request that a signature covers. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
}

/** Signs the requests of one client. Nothing is sent to a gateway that the signer does not trust. */
export interface Signer {
  /** Resolves when the gateway's identity is proven. Rejects with `ClientError` if it is wrong or unreachable. */
  ready(): Promise<unknown>;
  /** Signs a request. Rejects like `ready`. */
  sign(request: SignedRequest): Promise<Signature>;
  /** Takes a new nonce from the gateway for the next signatures. */
  renew(nonce: string): void;
  /** Must be called after a lost connection: another program may answer now, so the gateway must prove itself again. */
  distrust(): void;
}

/** A bearer token, a function that returns the current one, or the signer of a device. */
export type ClientToken = string | (() => string | undefined) | Signer;

/** Returns the signer for any token. A bearer token is sent unchanged. */
export function toSigner(token: ClientToken): Signer {
  if (typeof token === "object") return token;
  return {
    ready: async () => undefined,
    sign: async () => ({ token: typeof token === "string" ? token : token() }),
    renew: () => undefined,
    distrust: () => undefined,
  };
}
