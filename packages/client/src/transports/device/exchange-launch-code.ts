import type { SignedInDevice } from "./device-signer.ts";
import { createKeyRequester, type KeyRequesterOptions } from "./key-requester.ts";

export interface LaunchCodeOptions extends KeyRequesterOptions {
  /** The one-time code of the launch URL. */
  readonly code: string;
  /** The device's name for itself, at most 100 characters. */
  readonly label: string;
}

/**
 * Exchanges the one-time code of a launch URL for a device token, after the gateway has proven to be the one named by
 * the URL. Rejects with `ProtocolError` `UNAUTHENTICATED` when the code is used, expired or wrong, and with
 * `ClientError`
 * `GATEWAY_UNKNOWN` when another program answers; the code is not sent in that case.
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
