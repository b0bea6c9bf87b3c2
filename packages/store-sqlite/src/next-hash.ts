import { hash } from "node:crypto";

import { CHAIN_START, type ChainLink, chainText } from "@holdpoint/engine";

/** `chainHash` in binary form. `previous` is the previous row's hash, or `null` for the first row. */
export function nextHash(
  previous: Uint8Array | null,
  link: Omit<ChainLink, "previous">,
): Uint8Array {
  const text = chainText({ ...link, previous: toHex(previous) });
  return hash("sha256", text, "buffer");
}

export function toHex(hash: Uint8Array | null): string {
  if (hash === null) return CHAIN_START;
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("hex");
}
