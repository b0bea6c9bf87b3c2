import type { CustomFetch } from "openid-client";

import { isLoopback } from "../http/allowed-hosts.ts";

const MAX_BYTES = 512 * 1024;

/** The issuer cannot be reached, or cannot work now. It says nothing of the person. */
export class IssuerDown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "IssuerDown";
  }
}

/**
 * Asks an issuer: over https, whatever addresses the issuer itself names, or http of this machine if it is on this machine
 * itself; for so much at the most; and of one that fails it says so. Rejects with `IssuerDown`.
 */
export function boundedFetchFor(issuer: string): CustomFetch {
  const isHere = isLoopbackHost(new URL(issuer));
  return async (url, options) => {
    const address = new URL(url);
    // Else an issuer elsewhere could have the gateway ask what listens on its machine.
    if (!isSafeAddress(address) || (!isHere && isLoopbackHost(address))) {
      throw new IssuerDown("It names an address that is not https, or of this machine.");
    }
    return askBounded(url, options);
  };
}

async function askBounded(
  url: string,
  { method, headers, body, signal }: Parameters<CustomFetch>[1],
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers,
    body: toBody(body),
    redirect: "manual",
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw new IssuerDown("It does not answer.", { cause });
  });
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel();
    throw new IssuerDown(`It answers with ${response.status}.`);
  }
  const { status } = response;
  return new Response(await readBounded(response), { status, headers: response.headers });
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) break;
      pieces.push(piece);
    }
  } catch (cause: unknown) {
    throw new IssuerDown("Its answer broke off.", { cause });
  }
  if (bytes > MAX_BYTES) throw new IssuerDown("It answers with too much.");
  // Statuses without a body take none.
  return bytes === 0 ? null : new Uint8Array(Buffer.concat(pieces));
}

/** Whether nobody on the network can change what comes from there. */
export function isSafeAddress(url: URL): boolean {
  const { protocol } = url;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(url));
}

function isLoopbackHost({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

/** What is asked is a form, or nothing. */
function toBody(body: Parameters<CustomFetch>[1]["body"]): URLSearchParams | string | null {
  if (body instanceof URLSearchParams || typeof body === "string") return body;
  if (body === undefined || body === null) return null;
  throw new TypeError("Only forms are sent to an issuer.");
}
