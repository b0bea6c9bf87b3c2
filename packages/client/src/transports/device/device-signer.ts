import { createHttpRequester } from "../http/http-request.ts";
import type { Signer } from "../signer.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import { checkGateway, type ProvenGateway } from "./check-gateway.ts";
import { createProof, type DeviceKey } from "./device-key.ts";

/** The result of a sign-in, stored on the device. */
export interface SignedInDevice {
  readonly key: DeviceKey;
  readonly token: string;
  readonly tokenId: string;
  /** The thumbprint of the gateway's key. */
  readonly gateway: string;
}

export interface DeviceSignerOptions extends TransportScopeOptions {
  /** The address of the gateway, which also serves the page. */
  readonly baseUrl: string;
  readonly device: SignedInDevice;
  /** Called after each conclusive check. `unknown`: another program answers at the gateway's address. */
  readonly onChecked?: (result: "known" | "unknown") => void;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Creates a signer for the requests of a device. Before the first request, and after each lost connection, the gateway
 * must prove that it is the one the device signed in to. Nothing is signed or sent before that proof.
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
  /** Repeats a check if a connection was lost while it ran, because another program may answer after that. */
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
      // Only a trusted gateway may renew the nonce.
      if (checked) checked = Promise.resolve({ thumbprint, nonce });
    },
    distrust() {
      checked = undefined;
    },
  };
}
