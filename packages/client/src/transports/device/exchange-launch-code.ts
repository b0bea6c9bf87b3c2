import { createHttpRequester } from "../http/http-request.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import { checkGateway } from "./check-gateway.ts";
import { createProof, type DeviceKey } from "./device-key.ts";
import type { SignedInDevice } from "./device-signer.ts";

export interface LaunchCodeOptions extends TransportScopeOptions {
  /** Origin of the gateway, which is that of the page. */
  readonly baseUrl: string;
  /** The one-time code of the launch URL. */
  readonly code: string;
  /** Thumbprint of the gateway's key, from the launch URL. Absent: whichever gateway answers. */
  readonly gateway: string | undefined;
  /** What this device calls itself, at most 100 characters. */
  readonly label: string;
  readonly key: DeviceKey;
  readonly fetch?: typeof fetch;
}

/**
 * Trades the one-time code of a launch URL for the token of a device, once the gateway has proven that it is the one that
 * the URL names. Rejects with `ProtocolError` `UNAUTHENTICATED` when the code is used, old or wrong, and with
 * `ClientError` `GATEWAY_UNKNOWN` when something else answers; then the code was not sent.
 */
export async function exchangeLaunchCode(options: LaunchCodeOptions): Promise<SignedInDevice> {
  const { baseUrl, code, label, key, fetch } = options;
  const requesterOptions = {
    ...createTransportScope(options),
    baseUrl,
    clientId: undefined,
    fetch,
  };
  const path = "/api/auth/exchange";
  const origin = new URL(baseUrl).origin;
  const unsigned = createHttpRequester({ ...requesterOptions, token: () => undefined });
  const proven = await checkGateway(unsigned, { origin, thumbprint: options.gateway });
  const { request } = createHttpRequester({
    ...requesterOptions,
    token: {
      ready: async () => undefined,
      sign: async (call) => ({ proof: await createProof(key, { ...call, nonce: proven.nonce }) }),
      renew: () => undefined,
      distrust: () => undefined,
    },
  });
  const issued = await request<{ token: string; tokenId: string }>({
    method: "POST",
    path,
    body: { code, label },
  });
  return { key, token: issued.token, tokenId: issued.tokenId, gateway: proven.thumbprint };
}
