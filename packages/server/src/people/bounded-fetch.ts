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
 * Asks an issuer: over https, or http of this machine, whatever address the issuer itself names; for so much at the most;
 * and of one that fails it says so. Rejects with `IssuerDown`.
 */
export const boundedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  if (!isSafeAddress(new URL(url))) throw new IssuerDown("It names an address that is not https.");
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
};

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
export function isSafeAddress({ protocol, hostname }: URL): boolean {
  const isHere = isLoopback(hostname.replace(/^\[|\]$/g, ""));
  return protocol === "https:" || (protocol === "http:" && isHere);
}

/** What is asked is a form, or nothing. */
function toBody(body: Parameters<CustomFetch>[1]["body"]): URLSearchParams | string | null {
  if (body instanceof URLSearchParams || typeof body === "string") return body;
  if (body === undefined || body === null) return null;
  throw new TypeError("Only forms are sent to an issuer.");
}
