import { X509Certificate, createPrivateKey } from "node:crypto";

import { ServerError } from "../server-error.ts";

/** A certificate with its chain, and its private key, both in PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns the hosts that a certificate is for. Throws `ServerError` for one that browsers would not accept at `nowMs`:
 * invalid, outside its validity period, for another key, or without a host.
 */
export function hostsOfCertificate({ cert, key }: Tls, nowMs: number): string[] {
  const certificate = tryTo(() => new X509Certificate(cert), "The TLS certificate is not PEM.");
  const privateKey = tryTo(
    () => createPrivateKey(key),
    "The TLS key is no PEM key, or it has a passphrase.",
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw refuse("The TLS certificate and the TLS key do not belong together.");
  }
  const { validFrom, validTo } = certificate;
  if (nowMs > Date.parse(validTo)) throw refuse(`The TLS certificate expired on ${validTo}.`);
  if (nowMs < Date.parse(validFrom)) {
    throw refuse(`The TLS certificate is valid only from ${validFrom} on.`);
  }
  const hosts = [
    ...(certificate.subjectAltName ?? "").matchAll(/(?:^|, )(DNS|IP Address):([\w.:-]+)(?=, |$)/g),
  ];
  if (hosts.length === 0) {
    throw refuse("The TLS certificate names no host as a subject alternative name.");
  }
  return hosts.map(([, , host = ""]) => host);
}

function tryTo<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch (error) {
    throw refuse(otherwise, error);
  }
}

function refuse(message: string, cause?: unknown): ServerError {
  return new ServerError("BAD_CONFIG", message, { cause });
}
