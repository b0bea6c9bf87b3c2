// oxlint-disable-next-line import/default -- Vite gives the address of what it has built
import url from "./highlight-worker.ts?worker&url";

/** The policy that the gateway's headers name for this address. */
const POLICY = "holdpoint-code";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string };
}

let address: string | undefined;

/** Code is read beside the page, so that no press waits for it and no text can hold it up. */
export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??= trustedTypes
    ? trustedTypes.createPolicy(POLICY, { createScriptURL: () => url }).createScriptURL("")
    : url;
  return new Worker(address);
}
