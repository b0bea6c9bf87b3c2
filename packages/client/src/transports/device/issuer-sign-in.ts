import type { BegunSignIn, FinishSignInBody, IssuerList } from "@holdpoint/protocol";

import { createHttpRequester } from "../http/http-request.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import type { DeviceKey } from "./device-key.ts";
import type { SignedInDevice } from "./device-signer.ts";
import { createKeyRequester } from "./key-requester.ts";

interface PlaceOptions extends TransportScopeOptions {
  /** The address of the gateway, which also serves the page. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
}

/** Returns the issuers that people can sign in with. Empty on a gateway for one person. */
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

/** A sign-in in progress. The browser stores it until it returns from the issuer. */
export interface PendingSignIn {
  readonly key: DeviceKey;
  /** The thumbprint of the gateway's key. */
  readonly gateway: string;
  readonly issuerId: string;
  /** The value that the issuer sends back. */
  readonly state: string;
}

export interface BeginOptions extends PlaceOptions {
  readonly issuerId: string;
  readonly key: DeviceKey;
}

/** Begins a sign-in for the browser with this key. Resolves to the issuer's address for the browser to visit. */
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
 * Exchanges the issuer's answer for a device token. Rejects with `ProtocolError`: `UNAUTHENTICATED` if the sign-in was
 * not begun with this key, `NOT_ADMITTED` if the gateway does not admit the person.
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
