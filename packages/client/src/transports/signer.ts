/** What a client puts on a request to say who it is. */
export interface Signature {
  readonly token?: string | undefined;
  /** That this client has the key of the device whose token it is. */
  readonly proof?: string;
}

/** A request as far as a signature covers it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
}

/** Signs the requests of one client. Nothing is sent to a gateway that the signer does not trust. */
export interface Signer {
  /** Resolves when the gateway is known to be the right one. Rejects with `ClientError` when it is not, or is not there. */
  ready(): Promise<unknown>;
  /** Rejects as `ready` does. */
  sign(request: SignedRequest): Promise<Signature>;
  /** The gateway gave a nonce for the next signatures. */
  renew(nonce: string): void;
  /** A connection was lost: something else may answer now, so the gateway has to prove itself again. */
  distrust(): void;
}

/** A bearer token, how to get the one of the moment, or the signer of a device. */
export type ClientToken = string | (() => string | undefined) | Signer;

/** The signer of any token. A bearer token is sent as it is. */
export function toSigner(token: ClientToken): Signer {
  if (typeof token === "object") return token;
  return {
    ready: async () => undefined,
    sign: async () => ({ token: typeof token === "string" ? token : token() }),
    renew: () => undefined,
    distrust: () => undefined,
  };
}
