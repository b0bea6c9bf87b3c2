import { createHttpRequester, type HttpRequester } from "../http/http-request.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import { checkGateway } from "./check-gateway.ts";
import { createProof, type DeviceKey } from "./device-key.ts";

export interface KeyRequesterOptions extends TransportScopeOptions {
  /** Address of the gateway, which is that of the page. */
  readonly baseUrl: string;
  /** Thumbprint of the gateway's key. Absent: whichever gateway answers. */
  readonly gateway: string | undefined;
  readonly key: DeviceKey;
  readonly fetch?: typeof fetch | undefined;
}

export interface KeyRequester extends Pick<HttpRequester, "request"> {
  /** Thumbprint of the key of the gateway that has proven itself. */
  readonly gateway: string;
}

/**
 * Sends requests that the key of a device signs which has no token yet, once the gateway has proven who it is. Rejects with
 * `ClientError` `GATEWAY_UNKNOWN` when something else answers; then nothing was sent.
 */
export async function createKeyRequester(options: KeyRequesterOptions): Promise<KeyRequester> {
  const { baseUrl, key, fetch } = options;
  const requesterOptions = {
    ...createTransportScope(options),
    baseUrl,
    clientId: undefined,
    fetch,
  };
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
  return { request, gateway: proven.thumbprint };
}
