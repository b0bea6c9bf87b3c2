import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIPv4 } from "node:net";

import type { Tls } from "../http/tls.ts";

const ECDSA_WITH_SHA256 = oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]);
const SUBJECT_ALT_NAME = oid([0x55, 0x1d, 0x11]);
const COMMON_NAME = oid([0x55, 0x04, 0x03]);

interface CertificateOptions {
  /** DNS names and IPv4 addresses. */
  readonly hosts?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
}

/** A new self-signed certificate and its key. Valid from 2025 to 2075, unless other dates are given. */
export function createCertificate({
  hosts = ["localhost"],
  from = new Date("2025-01-01T00:00:00Z"),
  to = new Date("2075-01-01T00:00:00Z"),
}: CertificateOptions = {}): Tls {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const body = certificateBody({ hosts, from, to, publicKey });
  const signature = bitString(sign("sha256", body, privateKey));
  const certificate = sequence(body, sequence(ECDSA_WITH_SHA256), signature);
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function certificateBody(parts: {
  readonly hosts: readonly string[];
  readonly from: Date;
  readonly to: Date;
  readonly publicKey: KeyObject;
}): Buffer {
  const { hosts, from, to, publicKey } = parts;
  const name = sequence(tag(0x31, sequence(COMMON_NAME, tag(0x0c, Buffer.from("holdpoint test")))));
  const names = sequence(...hosts.map(toGeneralName));
  const extensions = sequence(sequence(SUBJECT_ALT_NAME, tag(0x04, names)));
  return sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.from([1])),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    ...(hosts.length === 0 ? [] : [tag(0xa3, extensions)]),
  );
}

function toGeneralName(host: string): Buffer {
  return isIPv4(host)
    ? tag(0x87, Buffer.from(host.split(".").map(Number)))
    : tag(0x82, Buffer.from(host));
}

/** One value of ASN.1, in DER. */
function tag(type: number, content: Buffer): Buffer {
  const { length } = content;
  return Buffer.concat([Buffer.from([type, ...sizeOf(length)]), content]);
}

/** In as few bytes as possible: browsers refuse longer encodings. */
function sizeOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function oid(bytes: readonly number[]): Buffer {
  return tag(0x06, Buffer.from(bytes));
}

function bitString(content: Buffer): Buffer {
  return tag(0x03, Buffer.concat([Buffer.from([0]), content]));
}

/** Up to 2049 with a two-digit year, as X.509 requires and Chromium enforces. */
function time(at: Date): Buffer {
  const text = `${at.toISOString().replaceAll(/[-:T]|\.\d+Z/g, "")}Z`;
  return at.getUTCFullYear() < 2050
    ? tag(0x17, Buffer.from(text.slice(2)))
    : tag(0x18, Buffer.from(text));
}
