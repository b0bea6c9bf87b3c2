import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

const CURVE = "prime256v1";
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
/** Marks the end of the last record (RFC 8188). Padding follows it. */
const LAST_RECORD = 2;
/** The size that every push service must accept (RFC 8030). */
const MAX_BYTES = 4096;

export interface EncryptOptions {
  /** The browser's public key, base64url. */
  readonly p256dh: string;
  readonly auth: string;
  /** The minimum length. Shorter messages are padded, so that their length reveals nothing. */
  readonly paddedBytes: number;
  /** For tests with known results. Default: random. */
  readonly fixed?: { readonly salt: Buffer; readonly privateKey: Buffer };
}

/**
 * Encrypts a message so that only the subscribed browser can read it (RFC 8291, in one record of RFC 8188's
 * `aes128gcm`). Throws if the browser's key is invalid or the message is too long for a push service.
 */
export function encryptMessage(message: Buffer, options: EncryptOptions): Buffer {
  const own = createECDH(CURVE);
  if (options.fixed) own.setPrivateKey(options.fixed.privateKey);
  else own.generateKeys();
  const salt = options.fixed?.salt ?? randomBytes(SALT_BYTES);
  const theirPoint = Buffer.from(options.p256dh, "base64url");
  const ownPoint = own.getPublicKey();

  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirPoint, ownPoint]);
  const auth = Buffer.from(options.auth, "base64url");
  const secret = derive(own.computeSecret(theirPoint), auth, info, SECRET_BYTES);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", KEY_BYTES);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", NONCE_BYTES);

  const padding = Buffer.alloc(Math.max(0, options.paddedBytes - message.length));
  const record = Buffer.concat([message, Buffer.of(LAST_RECORD), padding]);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const body = Buffer.concat([
    toHead(salt, ownPoint, MAX_BYTES),
    cipher.update(record),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  if (body.length > MAX_BYTES) throw new RangeError("The message is too long for a push service.");
  return body;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}

function toHead(salt: Buffer, point: Buffer, recordBytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  return Buffer.concat([salt, size, Buffer.of(point.length), point]);
}

/** The maximum length of a message in bytes. */
export const MAX_MESSAGE_BYTES = MAX_BYTES - (SALT_BYTES + 4 + 1 + 65) - TAG_BYTES - 1;
