import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";

import { isLoopback } from "./allowed-hosts.ts";
import type { Tls } from "./tls.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** Longer than clients keep idle connections, so that clients close them first. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Time limit for the head of a request, from the first byte of its connection. */
const HEADERS_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node checks for requests that take too long. */
const CHECK_INTERVAL_MS = 5000;
const HANDSHAKE_TIMEOUT_MS = 10_000;

interface HttpServerOptions {
  /** Without it the server speaks plain http. */
  readonly tls?: Tls | undefined;
  readonly shouldUpgrade: (incoming: IncomingMessage) => boolean;
}

/** Creates Node's http or https server. It does not listen yet. */
export function createNodeServer({ tls, shouldUpgrade }: HttpServerOptions): Server {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    shouldUpgradeCallback: shouldUpgrade,
  };
  if (!tls) return createHttpServer(options);
  return createHttpsServer({ ...options, ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
}

/** Resolves to the port once the server listens. Rejects with Node's error when it cannot. */
export async function listenOn(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...address, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server has no port.");
  return bound.port;
}

/** True for a peer that may use plain http: a trusted proxy or a program on this machine. */
export function mayUseHttp(
  { remoteAddress, localAddress }: Pick<Socket, "localAddress" | "remoteAddress">,
  proxies: TrustedProxies,
): boolean {
  if (remoteAddress === undefined) return false;
  const isOwn = remoteAddress === localAddress || isLoopback(remoteAddress.replace(/^::ffff:/, ""));
  return isOwn || proxies.has(remoteAddress);
}
