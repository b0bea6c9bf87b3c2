import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";

import type { Clock } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import { ServerError } from "../server-error.ts";
import {
  type AllowedHosts,
  isLoopback,
  isWildcard,
  toAllowedHosts,
  toUrlHost,
} from "./allowed-hosts.ts";
import { ConnectionRoom } from "./connection-room.ts";
import { createNodeServer, listenOn, mayUseHttp } from "./http-server.ts";
import { problemHeaders, problemOf } from "./problem-response.ts";
import { publicPathOf, takePathOff } from "./public-path.ts";
import type { ServerLog } from "./request-log.ts";
import { hostsOfCertificate, type Tls } from "./tls.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";
import { UnauthenticatedConnections } from "./unauthenticated-connections.ts";

/** The handlers of requests at a front. */
export interface FrontHandlers {
  readonly request: RequestListener;
  /** True for a request that opens a WebSocket. All others go to `request`, which refuses invalid ones. */
  readonly accepts: (incoming: IncomingMessage) => boolean;
  readonly upgrade: (incoming: IncomingMessage, stream: Duplex, head: Buffer) => void;
}

interface Answering {
  handlers?: FrontHandlers | undefined;
}

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
  /** Where people reach the gateway, if not at this address. */
  readonly publicUrl?: URL | undefined;
  readonly embedOrigins?: readonly string[] | undefined;
  /** Paths that may be read under any host name. */
  readonly probes: readonly string[];
  readonly proxies: TrustedProxies;
  readonly strangers?: UnauthenticatedConnections;
  readonly room?: ConnectionRoom;
  readonly clock: Clock;
  readonly log: ServerLog;
}

/**
 * The listening server of this process, with its checks of hosts and connections. Its handlers can be replaced while it
 * listens, such as when a node's role changes.
 */
export class Front {
  /** The address for people; uses a name from the certificate if there is one. */
  readonly url: string;
  readonly port: number;
  readonly allowed: AllowedHosts;
  readonly strangers: UnauthenticatedConnections;
  readonly room: ConnectionRoom;
  readonly #http: Server;
  readonly #clock: Clock;
  readonly #answering: Answering;
  #closed: Promise<void> | undefined;

  /**
   * Resolves once it listens. Rejects with `ServerError`, or with Node's own error when the system refuses the address.
   */
  static async open(options: FrontOptions): Promise<Front> {
    assertMayBind(options);
    const { tls, clock } = options;
    const names = tls ? hostsOfCertificate(tls, clock.now()) : [];
    const answering: Answering = {};
    const path = publicPathOf(options.publicUrl);
    const http = createNodeServer({
      tls,
      shouldUpgrade(incoming) {
        takePathOff(incoming, path);
        return answering.handlers?.accepts(incoming) ?? false;
      },
    });
    const { host } = options;
    const port = await listenOn(http, { host, port: options.port });
    return new Front(http, options, { port, names, answering });
  }

  private constructor(
    http: Server,
    options: FrontOptions,
    bound: { port: number; names: readonly string[]; answering: Answering },
  ) {
    const { host, tls, publicUrl, embedOrigins, probes, proxies, clock, log } = options;
    const { port, names, answering } = bound;
    const bind = { host, port, isSecure: tls !== undefined, names };
    this.url = toUrl(bind);
    this.port = port;
    this.allowed = toAllowedHosts({ ...bind, publicUrl, embedOrigins, probes });
    this.room = options.room ?? new ConnectionRoom({ clock, log });
    this.strangers = options.strangers ?? new UnauthenticatedConnections(clock, this.room);
    this.#http = http;
    this.#clock = clock;
    this.#answering = answering;
    this.strangers.watch(http);
    this.room.watch(http);
    if (!tls) {
      http.on("connection", (socket) => void (mayUseHttp(socket, proxies) || socket.destroy()));
    }
    http.on("request", (incoming, outgoing) => {
      takePathOff(incoming, publicPathOf(publicUrl));
      if (answering.handlers) return answering.handlers.request(incoming, outgoing);
      const problem = problemOf(new ProtocolError("NO_WORKING_NODE", "Nothing answers here now."));
      outgoing.writeHead(problem.status, { ...problemHeaders(problem), Connection: "close" });
      outgoing.end(JSON.stringify(problem));
    });
    http.on("upgrade", (incoming, stream, head) => {
      if (answering.handlers) answering.handlers.upgrade(incoming, stream, head);
      else stream.destroy();
    });
  }

  /** Replaces the handlers. Running requests finish with the previous ones. */
  use(handlers: FrontHandlers | undefined): void {
    this.#answering.handlers = handlers;
  }

  /** See `GatewayServer.replaceTls`. */
  replaceTls(tls: Tls): void {
    if (!(this.#http instanceof HttpsServer)) throw new Error("This server has no TLS.");
    const hosts = hostsOfCertificate(tls, this.#clock.now());
    const { hostname } = new URL(this.url);
    if (!hosts.some((host) => toUrlHost(host).toLowerCase() === hostname)) {
      throw new ServerError("BAD_CONFIG", `The TLS certificate is not for ${hostname}.`);
    }
    this.#http.setSecureContext({ cert: tls.cert, key: tls.key });
  }

  /** Stops accepting connections. Open ones stay. */
  stopListening(): void {
    this.#closed ??= new Promise((resolve) => this.#http.close(() => resolve()));
  }

  closeConnections(): void {
    this.#http.closeAllConnections();
  }

  /** Closes all connections. Resolves when the last one has ended. */
  async close(): Promise<void> {
    this.stopListening();
    this.closeConnections();
    await this.#closed;
  }
}

/** Throws `BIND_REFUSED` when traffic would cross a network unencrypted. */
function assertMayBind({ host, tls, publicUrl, proxies }: FrontOptions): void {
  const isBehindProxy = publicUrl?.protocol === "https:" && !proxies.isEmpty;
  if (isLoopback(host) || tls || isBehindProxy) return;
  throw new ServerError(
    "BIND_REFUSED",
    `${host} can be reached from the network: that needs a TLS certificate, or an https public URL and the address of the trusted proxy that serves it.`,
  );
}

function toUrl(bind: {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly names: readonly string[];
}): string {
  const { host, port, isSecure, names } = bind;
  const own = isWildcard(host) ? "127.0.0.1" : host;
  const name = names.includes(host) ? host : (names[0] ?? own);
  return new URL(`${isSecure ? "https" : "http"}://${toUrlHost(name)}:${port}`).origin;
}
