// oxlint-disable-next-line import/default -- Vite exports the address of the built worker
import url from "./highlight-worker.ts?worker&url";

/** The Trusted Types policy that the gateway's headers allow for this address. */
const POLICY = "holdpoint-code";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string };
}

let address: string | undefined;

/** Starts the worker that tokenizes code. It runs in parallel to the page, so that no text can block it. */
export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??= trustedTypes
    ? trustedTypes.createPolicy(POLICY, { createScriptURL: () => url }).createScriptURL("")
    : url;
  return new Worker(address);
}
