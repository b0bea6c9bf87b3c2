import { createHttpRequester } from "../http/http-request.ts";
import type { Signer } from "../signer.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import { checkGateway, type ProvenGateway } from "./check-gateway.ts";
import { createProof, type DeviceKey } from "./device-key.ts";

/** What signing in left on a device. */
export interface SignedInDevice {
  readonly key: DeviceKey;
  readonly token: string;
  readonly tokenId: string;
  /** Thumbprint of the gateway's key. */
  readonly gateway: string;
}

export interface DeviceSignerOptions extends TransportScopeOptions {
  /** Address of the gateway, which is that of the page. */
  readonly baseUrl: string;
  readonly device: SignedInDevice;
  /** Gets whether another program answers at the gateway's address, each time that is known anew. */
  readonly onChecked?: (result: "known" | "unknown") => void;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch;
}

/**
 * Signs the requests of a device. Before the first one, and after each lost connection, the gateway has to prove that it
 * is the one that the device signed in to: until then nothing is signed and nothing is sent.
 */
export function createDeviceSigner(options: DeviceSignerOptions): Signer {
  const { baseUrl, device, onChecked, fetch } = options;
  const { key, token, gateway: thumbprint } = device;
  const requester = createHttpRequester({
    ...createTransportScope(options),
    baseUrl,
    token: () => undefined,
    clientId: undefined,
    fetch,
  });
  const { origin } = new URL(baseUrl);
  let checked: Promise<ProvenGateway> | undefined;
  const check = async (): Promise<ProvenGateway> => {
    try {
      const proven = await checkGateway(requester, { origin, thumbprint });
      onChecked?.("known");
      return proven;
    } catch (error: unknown) {
      checked = undefined;
      if ((error as { code?: unknown }).code === "GATEWAY_UNKNOWN") onChecked?.("unknown");
      throw error;
    }
  };
  /** A check that a connection was lost in the middle of says nothing of what answers now. */
  const ready = async (): Promise<ProvenGateway> => {
    for (;;) {
      const checking = (checked ??= check());
      const proven = await checking;
      if (checked === checking) return proven;
    }
  };
  return {
    ready,
    async sign(request) {
      const { nonce } = await ready();
      return { token, proof: await createProof(key, { ...request, token, nonce }) };
    },
    renew(nonce) {
      // Only what is trusted already can renew it.
      if (checked) checked = Promise.resolve({ thumbprint, nonce });
    },
    distrust() {
      checked = undefined;
    },
  };
}
