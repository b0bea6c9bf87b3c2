import { beginSignIn, createDeviceKey, finishSignIn, type SignedInDevice } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";

import { pageUrl } from "../base-path.ts";
import { createPendingVault, type DeviceVault } from "../device/device-vault.ts";
import type { Say } from "../words/use-words.ts";
import { toDeviceLabel } from "./device-label.ts";
import type { IssuerAnswer } from "./issuer-answer.ts";
import { SignInError } from "./sign-in-error.ts";

const pendingVault = createPendingVault(() => indexedDB);

/** Creates a key for this browser, begins a sign-in with it, and leaves for the issuer. Rejects with `SignInError`. */
export async function beginAtIssuer(issuerId: string): Promise<void> {
  // Not available on http pages of other machines.
  if (!isSecureContext) throw new SignInError("insecure");
  const key = await createDeviceKey();
  const begun = await beginSignIn({ baseUrl: pageUrl(), issuerId, key }).catch(rethrow);
  await pendingVault
    .write({ ...begun.pending, path: location.pathname + location.search })
    .catch(() => {
      throw new SignInError("storage_blocked");
    });
  const url = new URL(begun.url);
  // An issuer's address must not be able to run a script in this page.
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new SignInError("issuer_down");
  location.assign(url.href);
}

/**
 * Completes the sign-in that this browser has begun, and stores the credential. The answer to a sign-in begun elsewhere
 * is not sent to the gateway: a foreign link signs no one in. Rejects with `SignInError`.
 */
export async function finishAtIssuer(
  { issuerId, answer }: IssuerAnswer,
  vault: DeviceVault,
  say: Say,
): Promise<SignedInDevice> {
  const pending = await pendingVault.read();
  const state = new URLSearchParams(answer).get("state");
  if (pending?.issuerId !== issuerId || pending.state !== state) {
    throw new SignInError("not_begun_here");
  }
  await pendingVault.write(undefined);
  history.replaceState(null, "", location.origin + pending.path);
  const label = toDeviceLabel(navigator.userAgent, say);
  const replaces = (await vault.read())?.tokenId;
  const finishing = { baseUrl: pageUrl(), issuerId, answer, label, pending, replaces };
  const device = await finishSignIn(finishing).catch(rethrow);
  await vault.write(device);
  return device;
}

function rethrow(error: unknown): never {
  if (!ProtocolError.isInstance(error)) throw error;
  switch (error.code) {
    case "NOT_ADMITTED":
      throw new SignInError("not_admitted");
    case "UNAUTHENTICATED":
      throw new SignInError("sign_in_refused");
    default:
      throw new SignInError("issuer_down");
  }
}
