import type { ConnectionOptions, TlsOptions } from "node:tls";

/** The 32-byte key shared by all nodes, which `holdpoint` derives from the cluster secret. */
export type LinkKey = Uint8Array;

const IDENTITY = "holdpoint node";
/**
 * TLS with a pre-shared key: each side proves that it knows the cluster secret, and no certificate is needed. Each
 * connection has ephemeral keys, so recorded traffic cannot be replayed, nor be decrypted with a secret that leaks
 * later.
 */
const LINK = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

/** TLS options of the accepting node. */
export function serverLink(key: LinkKey): TlsOptions {
  return {
    ...LINK,
    pskCallback: (_socket, identity) => (identity === IDENTITY ? new Uint8Array(key) : null),
  };
}

/** TLS options of the connecting node. There is no certificate to check: a peer without the key cannot connect. */
export function clientLink(key: LinkKey): ConnectionOptions {
  return {
    ...LINK,
    pskCallback: () => ({ identity: IDENTITY, psk: new Uint8Array(key) }),
    checkServerIdentity: () => undefined,
  };
}
