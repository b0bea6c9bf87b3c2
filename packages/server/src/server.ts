import type { Server } from "node:http";
import { Server as HttpsServer } from "node:https";

import type { Pairing } from "@holdpoint/engine";
import type { AgentToken } from "@holdpoint/protocol";

import { createApp, createRoutes } from "./app.ts";
import { endOverdue } from "./auth/end-overdue.ts";
import { endRevoked } from "./auth/end-revoked.ts";
import { issueAgentToken } from "./auth/issue-agent-token.ts";
import { createContext } from "./create-context.ts";
import {
  type AllowedHosts,
  isLoopback,
  isWildcard,
  toAllowedHosts,
  toUrlHost,
} from "./http/allowed-hosts.ts";
import { createNodeServer, listenOn, mayUseHttp } from "./http/http-server.ts";
import { createListener } from "./http/listener.ts";
import { describeError } from "./http/request-log.ts";
import type { Route } from "./http/route.ts";
import { RunningRequests } from "./http/running-requests.ts";
import { hostsOfCertificate, type Tls } from "./http/tls.ts";
import { assertIssuers } from "./people/assert-issuers.ts";
import { endUnadmitted } from "./people/end-unadmitted.ts";
import type { ServerContext } from "./server-context.ts";
import { ServerError } from "./server-error.ts";
import {
  assertEmbedOrigins,
  assertUsableToken,
  DEFAULT_PERSON_NAME,
  parsePublicUrl,
  type ServerOptions,
} from "./server-options.ts";
import { SocketEndpoint } from "./socket/socket-endpoint.ts";
import { loadStaticFiles } from "./static/static-files.ts";

/** How long requests that run may take to finish once the server closes. */
const CLOSING_GRACE_MS = 2000;
/** How many agents can have a token before the command line gets no more. */
const MAX_AGENT_TOKENS = 32;
/** Where agents call tools. */
const MCP_PATH = "/mcp";
/** What monitors read under any name. */
const HEALTH_PATHS = ["/healthz", "/readyz"];
/** Under any name as well, where it takes a token. */
const METRICS_PATH = "/metrics";

/** A gateway on the network. */
export interface GatewayServer extends AsyncDisposable {
  /**
   * Starts to listen; port 0 takes any free one. Rejects with `ServerError`, or with Node's own error when the
   * system refuses the address; then it may be called again.
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<ListeningAddress>;
  /**
   * A URL with a one-time code: the first browser that opens it is signed in. `onUsed` is called then. Only while listening.
   */
  createLaunchUrl(onUsed?: () => void): string;
  /** A short code for one more device, and a URL that carries it. Throws `RATE_LIMITED`. Only while listening. */
  createPairing(): ShownPairing;
  /**
   * A way for the agent of a session to call the gateway's tools. Disposing it ends the calls that still run there, and
   * its token is refused from then on. Only while listening.
   */
  openToolAccess(sessionId: string): ToolAccess;
  /**
   * A token with which an agent that the gateway does not start calls its tools over MCP, with a new session for it.
   * Rejects as creating a session does, and with `ServerError` when there are too many. Only while listening.
   */
  issueAgentToken(label: string): Promise<AgentToken>;
  /**
   * From now on new connections get this certificate; those that are open stay. Throws `ServerError` for one that no browser
   * would accept, or that is not for the host that people use: then the old one stays. Only while listening with TLS.
   */
  replaceTls(tls: Tls): void;
  /** Tells the clients of tools that the list of tools has changed. */
  announceTools(): Promise<void>;
  /** Takes no more connections; those that are open are served until `close`. */
  stopListening(): void;
  /** Takes no more connections, ends streams with `closing {reason: "draining"}`, lets requests finish. */
  close(): Promise<void>;
}

export interface ListeningAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** What a person is shown to sign another device in, within five minutes. */
export interface ShownPairing extends Pairing {
  readonly url: string;
}

/** Where and as whom to call tools, over MCP. */
export interface ToolAccess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/**
 * Serves a gateway over HTTP and WebSocket. Throws `ServerError` for options that cannot be used. Nothing starts before
 * `listen`.
 */
export function createServer(options: ServerOptions): GatewayServer {
  assertUsableToken(options.personToken);
  assertEmbedOrigins(options.embedOrigins);
  if (options.people) assertIssuers(options.people);
  return new HttpGatewayServer(options, parsePublicUrl(options.publicUrl));
}

class HttpGatewayServer implements GatewayServer {
  readonly #options: ServerOptions;
  readonly #publicUrl: URL | undefined;
  readonly #context: ServerContext;
  readonly #running = new RunningRequests();
  /** All that listens. */
  readonly #doors: Server[] = [];
  #sockets: SocketEndpoint | undefined;
  #url: string | undefined;
  /** Where the gateway's own agents call its tools. */
  #toolUrl: string | undefined;
  #revoking: Disposable | undefined;
  #sweeping: Disposable | undefined;
  /** Tokens are made one after another, so that they can be counted. */
  #issuing: Promise<unknown> = Promise.resolve();
  /** Once it has stopped to listen: resolves when its last connection has ended. */
  #closed: Promise<unknown> | undefined;

  constructor(options: ServerOptions, publicUrl: URL | undefined) {
    this.#options = options;
    this.#publicUrl = publicUrl;
    this.#context = createContext(options);
  }

  async listen(address: { host: string; port: number }): Promise<ListeningAddress> {
    const { host } = address;
    const { embedOrigins, webRoot, tls } = this.#options;
    this.#assertMayBind(host);
    const names = tls ? hostsOfCertificate(tls, this.#context.clock.now()) : [];
    const files = webRoot === undefined ? new Map() : await loadStaticFiles(webRoot);
    await endUnadmitted({ ...this.#context, credentials: this.#context.gateway.credentials });
    const routes = createRoutes(this.#context);
    const http = createNodeServer({
      tls,
      shouldUpgrade: (incoming) => this.#sockets?.accepts(incoming) ?? false,
    });
    const port = await listenOn(http, address);
    const bind = { host, port, isSecure: tls !== undefined, names };
    const { metricsAccess } = this.#context;
    const probes = metricsAccess === "token" ? [...HEALTH_PATHS, METRICS_PATH] : HEALTH_PATHS;
    const allowed = toAllowedHosts({ ...bind, publicUrl: this.#publicUrl, embedOrigins, probes });
    for (const origin of allowed.origins) this.#context.origins.add(origin);
    this.#serve(http, createApp(this.#context, routes, files), allowed);
    const sockets = new SocketEndpoint(this.#context, allowed);
    http.on("upgrade", (incoming, stream, head) => sockets.open(incoming, stream, head));
    this.#sockets = sockets;
    this.#revoking = endRevoked(this.#context);
    const { gateway } = this.#context;
    this.#sweeping = endOverdue({
      ...this.#context,
      credentials: gateway.credentials,
      onError: (error) => this.#context.log.error(describeError(error), "sweep failed"),
    });
    this.#url = toUrl(bind);
    this.#toolUrl = tls ? await this.#openToolDoor(routes) : this.#url;
    return { url: this.#url, host, port };
  }

  /** What is sent over a network must be encrypted all the way. */
  #assertMayBind(host: string): void {
    const { tls, trustProxy = [] } = this.#options;
    const isBehindProxy = this.#publicUrl?.protocol === "https:" && trustProxy.length > 0;
    if (isLoopback(host) || tls || isBehindProxy) return;
    throw new ServerError(
      "BIND_REFUSED",
      `${host} can be reached from the network: that needs a TLS certificate, or an https public URL and the address of the trusted proxy that serves it.`,
    );
  }

  #serve(http: Server, app: ReturnType<typeof createApp>, allowed: AllowedHosts): void {
    const { proxies, log, strangers } = this.#context;
    strangers.watch(http);
    http.on("request", createListener({ app, allowed, running: this.#running, ...this.#context }));
    if (!this.#options.tls) {
      http.on("connection", (socket) => void (mayUseHttp(socket, proxies) || socket.destroy()));
    }
    // Such as a connection that there is no file descriptor for: the next one may find one.
    http.on("error", (error) => log.error(describeError(error), "server failed"));
    this.#doors.push(http);
  }

  /**
   * The gateway's own agents need not trust its certificate: they call its tools on loopback, over a port that has
   * nothing else. Resolves to its URL.
   */
  async #openToolDoor(routes: readonly Route[]): Promise<string> {
    const http = createNodeServer({ shouldUpgrade: () => false });
    const host = "127.0.0.1";
    const port = await listenOn(http, { host, port: 0 });
    const tools = routes.filter(({ path }) => path === MCP_PATH);
    const app = createApp(this.#context, tools, new Map());
    this.#serve(http, app, toAllowedHosts({ host, port }));
    return `http://${host}:${port}`;
  }

  createLaunchUrl(onUsed?: () => void): string {
    return this.#toLaunchUrl(this.#context.launchCodes.issue(onUsed));
  }

  createPairing(): ShownPairing {
    const pairing = this.#context.gateway.pairings.create();
    return { ...pairing, url: this.#toLaunchUrl(pairing.code) };
  }

  /** It names the gateway's key as well, so that the code is sent to no other program. */
  #toLaunchUrl(code: string): string {
    return `${this.#publicBase()}/#code=${code}&gateway=${this.#context.identity.thumbprint}`;
  }

  /** Where people reach the gateway. */
  #publicBase(): string {
    if (this.#url === undefined) throw new Error("A launch URL needs a server that listens.");
    return this.#publicUrl?.origin ?? this.#url;
  }

  openToolAccess(sessionId: string): ToolAccess {
    const url = this.#toolUrl;
    if (url === undefined) throw new Error("Access to tools needs a server that listens.");
    const { agentTokens, mcp } = this.#context;
    const { token, tokenId } = agentTokens.issue(sessionId);
    return {
      url: `${url}${MCP_PATH}`,
      token,
      async [Symbol.asyncDispose]() {
        agentTokens.revoke(tokenId);
        await mcp.revoke(tokenId);
      },
    };
  }

  async issueAgentToken(label: string): Promise<AgentToken> {
    const url = this.#url;
    if (url === undefined) throw new Error("A token needs a server that listens.");
    const { personName = DEFAULT_PERSON_NAME } = this.#options;
    const caller = { principal: "person", person: personName, client: "Command line" } as const;
    const issued = this.#issuing.then(async () => {
      await this.#assertRoomForAgent();
      return issueAgentToken(this.#context, caller, { label, url });
    });
    this.#issuing = issued.catch(() => undefined);
    return issued;
  }

  /** An agent can run the command line as well, and each token may hold memory and disk. */
  async #assertRoomForAgent(): Promise<void> {
    const listed = await this.#context.gateway.credentials.list();
    if (listed.filter(({ kind }) => kind === "agent").length < MAX_AGENT_TOKENS) return;
    throw new ServerError(
      "TOO_MANY_TOKENS",
      `Agents have ${MAX_AGENT_TOKENS} tokens already. Revoke some on the page Devices and programs, or delete their sessions.`,
    );
  }

  replaceTls(tls: Tls): void {
    const [http] = this.#doors;
    if (!(http instanceof HttpsServer)) throw new Error("There is no server with TLS.");
    const hosts = hostsOfCertificate(tls, this.#context.clock.now());
    const { hostname } = new URL(this.#url ?? "");
    if (!hosts.some((host) => toUrlHost(host).toLowerCase() === hostname)) {
      throw new ServerError("BAD_CONFIG", `The TLS certificate is not for ${hostname}.`);
    }
    http.setSecureContext({ cert: tls.cert, key: tls.key });
  }

  announceTools(): Promise<void> {
    return this.#context.mcp.announceTools();
  }

  stopListening(): void {
    if (this.#doors.length === 0) return;
    this.#closed ??= Promise.all(
      this.#doors.map((http) => new Promise<void>((resolve) => http.close(() => resolve()))),
    );
  }

  async close(): Promise<void> {
    this.stopListening();
    const doors = this.#doors.splice(0);
    const sockets = this.#sockets;
    this.#sockets = undefined;
    this.#url = undefined;
    this.#sweeping?.[Symbol.dispose]();
    this.#toolUrl = undefined;
    if (doors.length === 0) return;
    const closeConnections = (): void => {
      for (const http of doors) http.closeAllConnections();
    };
    const { clock, streams, mcp } = this.#context;
    const grace = clock.after(CLOSING_GRACE_MS, closeConnections);
    await Promise.all([streams.endAll("draining"), sockets?.close(), mcp.closeAll()]);
    await this.#running.settled();
    // Browsers keep connections at hand that have not carried a request yet; those are not idle for Node.
    closeConnections();
    await this.#closed;
    grace[Symbol.dispose]();
    this.#revoking?.[Symbol.dispose]();
    this.#context.metrics[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The address under which people find the server; a certificate's own name where there is one. */
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
