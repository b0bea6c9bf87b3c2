import { withBasePath } from "../base-path.ts";

const SCRIPT = withBasePath("/service-worker.js");
/** The only Trusted Types policy that the page allows for this script's address. */
const POLICY = "holdpoint-worker";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ): { readonly createScriptURL: (text: string) => unknown };
}

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** The page's service worker, installed on the first call. `undefined` if the browser has none or refuses it. */
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
