import type { ConnectionOptions, TlsOptions } from "node:tls";

/** What every node has of the others, as `holdpoint` derives it from the cluster secret: 32 bytes. */
export type LinkKey = Uint8Array;

const IDENTITY = "holdpoint node";
/**
 * Both sides prove by the cluster secret that they are nodes, with keys of their own for each connection: what is recorded cannot
 * be sent again, and cannot be read even by somebody who gets the secret later. No certificate is needed.
 */
const LINK = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

/** For the node that is connected to. */
export function serverLink(key: LinkKey): TlsOptions {
  return {
    ...LINK,
    pskCallback: (_socket, identity) => (identity === IDENTITY ? new Uint8Array(key) : null),
  };
}

/** For the node that connects. There is no certificate to check: who lacks the key gets no connection. */
export function clientLink(key: LinkKey): ConnectionOptions {
  return {
    ...LINK,
    pskCallback: () => ({ identity: IDENTITY, psk: new Uint8Array(key) }),
    checkServerIdentity: () => undefined,
  };
}
