import { createHmac } from "node:crypto";

/**
 * The headers of a signed webhook, as "Standard Webhooks" has them: a receiver computes the same HMAC over id, time and body,
 * and refuses what is too old or has an id that it knows already.
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

/** A secret in the form of "Standard Webhooks" is base64 behind `whsec_`; any other is what it says. */
function toKey(secret: string): Buffer {
  const [, encoded] = /^whsec_(.+)$/u.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
