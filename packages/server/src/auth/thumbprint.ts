import { createHash } from "node:crypto";

import { type PublicKey, toThumbprintText } from "@holdpoint/protocol";

/** The thumbprint of a public key (RFC 7638), in base64url. */
export function thumbprintOf(key: PublicKey): string {
  return createHash("sha256").update(toThumbprintText(key)).digest("base64url");
}
