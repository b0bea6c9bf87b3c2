import { toPlaced } from "../page-place.ts";

const SCRIPT = toPlaced("/service-worker.js");
/** The page's policy lets nothing else become the address of a script. */
const POLICY = "holdpoint-worker";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { readonly createScriptURL: (text: string) => unknown };
}

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** The page's service worker, installed at the first call. `undefined` where the browser has none or refuses it. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  registered ??= register().catch(() => undefined);
  return registered;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  await navigator.serviceWorker.register(toScriptUrl(), { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

function toScriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(POLICY, { createScriptURL: () => SCRIPT });
  return (policy?.createScriptURL(SCRIPT) ?? SCRIPT) as string;
}
