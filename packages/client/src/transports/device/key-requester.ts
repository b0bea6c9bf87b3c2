import { createHttpRequester, type HttpRequester } from "../http/http-request.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import { checkGateway } from "./check-gateway.ts";
import { createProof, type DeviceKey } from "./device-key.ts";

export interface KeyRequesterOptions extends TransportScopeOptions {
  /** The address of the gateway, which also serves the page. */
  readonly baseUrl: string;
  /** The thumbprint of the gateway's key. Absent: any gateway is accepted. */
  readonly gateway: string | undefined;
  readonly key: DeviceKey;
  readonly fetch?: typeof fetch | undefined;
}

export interface KeyRequester extends Pick<HttpRequester, "request"> {
  /** The thumbprint of the proven gateway's key. */
  readonly gateway: string;
}

/**
 * Creates a requester that signs with a device key before the device has a token. The gateway must first prove its
 * identity. Rejects with `ClientError` `GATEWAY_UNKNOWN` when another program answers; nothing is sent in that case.
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
