import { createHmac } from "node:crypto";

/**
 * Returns the signature headers of "Standard Webhooks". A receiver computes the same HMAC over id, time and body, and
 * refuses messages that are too old or have an id it has already seen.
 */
export function signWebhook(
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: Buffer },
  secret: string,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac("sha256", toKey(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** Decodes a "Standard Webhooks" secret (base64 after `whsec_`). Any other secret is used as it is. */
function toKey(secret: string): Buffer {
  const [, encoded] = /^whsec_(.+)$/u.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
