import type { BegunSignIn, FinishSignInBody, IssuerList } from "@holdpoint/protocol";

import { createHttpRequester } from "../http/http-request.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import type { DeviceKey } from "./device-key.ts";
import type { SignedInDevice } from "./device-signer.ts";
import { createKeyRequester } from "./key-requester.ts";

interface PlaceOptions extends TransportScopeOptions {
  /** Address of the gateway, which is that of the page. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
}

/** The issuers that people sign in with; none on a gateway of one person. */
export async function listIssuers(options: PlaceOptions): Promise<IssuerList["items"]> {
  const { baseUrl, fetch } = options;
  const scope = createTransportScope(options);
  const { request } = createHttpRequester({
    ...scope,
    baseUrl,
    clientId: undefined,
    fetch,
    token: () => undefined,
  });
  const { items } = await request<IssuerList>({ method: "GET", path: "/api/auth/issuers" });
  return items;
}

/** A sign-in that a browser has begun: what it keeps until it comes back from the issuer. */
export interface PendingSignIn {
  readonly key: DeviceKey;
  /** Thumbprint of the gateway's key. */
  readonly gateway: string;
  readonly issuerId: string;
  /** What the issuer gives back. */
  readonly state: string;
}

export interface BeginOptions extends PlaceOptions {
  readonly issuerId: string;
  readonly key: DeviceKey;
}

/** Begins a sign-in for the browser that has this key, and says where the browser goes. */
export async function beginSignIn(
  options: BeginOptions,
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
  const { issuerId, key } = options;
  const { request, gateway } = await createKeyRequester({ ...options, gateway: undefined });
  const { url, state } = await request<BegunSignIn>({
    method: "POST",
    path: "/api/auth/sign-ins",
    body: { issuerId },
  });
  return { url, pending: { key, gateway, issuerId, state } };
}

export interface FinishOptions extends PlaceOptions, FinishSignInBody {
  readonly pending: PendingSignIn;
}

/**
 * Trades what the issuer has answered for the token of a device. Rejects with `ProtocolError`: `UNAUTHENTICATED` for what was
 * not begun with this key, `NOT_ADMITTED` for somebody whom the gateway does not let in.
 */
export async function finishSignIn(options: FinishOptions): Promise<SignedInDevice> {
  const { pending, issuerId, answer, label, replaces } = options;
  const { key } = pending;
  const { request, gateway } = await createKeyRequester({
    ...options,
    key,
    gateway: pending.gateway,
  });
  const issued = await request<{ token: string; tokenId: string }>({
    method: "POST",
    path: "/api/auth/sign-ins/finish",
    body: { issuerId, answer, label, replaces } satisfies FinishSignInBody,
  });
  return { key, token: issued.token, tokenId: issued.tokenId, gateway };
}
