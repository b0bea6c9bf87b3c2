import type { CustomFetch } from "openid-client";

import { isLoopback } from "../http/allowed-hosts.ts";

const MAX_BYTES = 512 * 1024;

/** The issuer cannot be reached, or fails. It makes no statement about the person. */
export class IssuerDown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "IssuerDown";
  }
}

/**
 * Returns a `fetch` for an issuer. All URLs, including those from its metadata, must use https, or http on this machine
 * if the issuer itself is on this machine. The size of answers is limited. Rejects with `IssuerDown`, also for failing
 * issuers.
 */
export function boundedFetchFor(issuer: string): CustomFetch {
  const isHere = isLoopbackHost(new URL(issuer));
  return async (url, options) => {
    const address = new URL(url);
    // Otherwise a remote issuer could make the gateway send requests to services on its own machine.
    if (!isSafeAddress(address) || (!isHere && isLoopbackHost(address))) {
      throw new IssuerDown("It names an address that is not https, or is on this machine.");
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
  if (bytes > MAX_BYTES) throw new IssuerDown("Its answer is too large.");
  // A `Response` with a status like 204 must not have a body.
  return bytes === 0 ? null : new Uint8Array(Buffer.concat(pieces));
}

/** True when responses from the URL cannot be changed on the network. */
export function isSafeAddress(url: URL): boolean {
  const { protocol } = url;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(url));
}

function isLoopbackHost({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

/** Converts the request body, which is always a form or empty. */
function toBody(body: Parameters<CustomFetch>[1]["body"]): URLSearchParams | string | null {
  if (body instanceof URLSearchParams || typeof body === "string") return body;
  if (body === undefined || body === null) return null;
  throw new TypeError("Only form requests are sent to an issuer.");
}
