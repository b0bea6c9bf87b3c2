import type { SignedInDevice } from "./device-signer.ts";
import { createKeyRequester, type KeyRequesterOptions } from "./key-requester.ts";

export interface LaunchCodeOptions extends KeyRequesterOptions {
  /** The one-time code of the launch URL. */
  readonly code: string;
  /** What this device calls itself, at most 100 characters. */
  readonly label: string;
}

/**
 * Trades the one-time code of a launch URL for the token of a device, once the gateway has proven that it is the one that
 * the URL names. Rejects with `ProtocolError` `UNAUTHENTICATED` when the code is used, old or wrong, and with
 * `ClientError` `GATEWAY_UNKNOWN` when something else answers; then the code was not sent.
 */
export async function exchangeLaunchCode(options: LaunchCodeOptions): Promise<SignedInDevice> {
  const { code, label, key } = options;
  const { request, gateway } = await createKeyRequester(options);
  const issued = await request<{ token: string; tokenId: string }>({
    method: "POST",
    path: "/api/auth/exchange",
    body: { code, label },
  });
  return { key, token: issued.token, tokenId: issued.tokenId, gateway };
}
