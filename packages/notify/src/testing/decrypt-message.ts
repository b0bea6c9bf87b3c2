import { createDecipheriv, type ECDH, hkdfSync } from "node:crypto";

const SALT_BYTES = 16;
const TAG_BYTES = 16;

/** Reads a push message as a browser does, by RFC 8188 and RFC 8291. Throws for another browser's message. */
export function decryptMessage(
  body: Buffer,
  { pair, auth }: { readonly pair: ECDH; readonly auth: string },
): Buffer {
  const salt = body.subarray(0, SALT_BYTES);
  const recordBytes = body.readUInt32BE(SALT_BYTES);
  const pointBytes = body.readUInt8(SALT_BYTES + 4);
  const start = SALT_BYTES + 5;
  const senderPoint = body.subarray(start, start + pointBytes);
  const record = body.subarray(start + pointBytes);
  if (record.length > recordBytes) throw new Error("There is more than one record.");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), senderPoint]);
  const shared = pair.computeSecret(senderPoint);
  const derive = (secret: Buffer, by: Buffer, what: Buffer | string, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, by, what, bytes));
  const secret = derive(shared, Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== 2) throw new Error("This is not the last record.");
  return plain.subarray(0, end);
}
