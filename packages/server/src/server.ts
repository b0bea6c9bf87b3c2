import type { RequestListener, Server } from "node:http";

import type { Pairing } from "@holdpoint/engine";
import { type AgentToken, urlAt } from "@holdpoint/protocol";
import { getRequestListener } from "@hono/node-server";

import { createApp, createRoutes } from "./app.ts";
import { endOverdue } from "./auth/end-overdue.ts";
import { endRevoked } from "./auth/end-revoked.ts";
import { issueAgentToken } from "./auth/issue-agent-token.ts";
import { createContext } from "./create-context.ts";
import { type AllowedHosts, toAllowedHosts } from "./http/allowed-hosts.ts";
import { identifyClient } from "./http/client-address.ts";
import { Front, type FrontHandlers } from "./http/front.ts";
import { createNodeServer, listenOn } from "./http/http-server.ts";
import { createListener } from "./http/listener.ts";
import { refuseForeign } from "./http/request-guard.ts";
import { describeError, logRequest } from "./http/request-log.ts";
import type { Route } from "./http/route.ts";
import { RunningRequests } from "./http/running-requests.ts";
import type { Tls } from "./http/tls.ts";
import { probesFor } from "./metrics/metrics-access.ts";
import type { Metrics } from "./metrics/metrics.ts";
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
import { opensSocket, SocketEndpoint } from "./socket/socket-endpoint.ts";
import { loadStaticFiles, NO_FILES, type StaticFiles } from "./static/static-files.ts";

/** How long running requests may take to finish when the server closes. */
const CLOSING_GRACE_MS = 2000;
/** With this many agent tokens, the command line cannot issue another. */
const MAX_AGENT_TOKENS = 32;
/** The path of the MCP endpoint. */
const MCP_PATH = "/mcp";

export interface GatewayServer extends AsyncDisposable {
  /**
   * Starts listening; port 0 takes any free port. Rejects with `ServerError`, or with Node's own error when the system
   * refuses the address, after which it may be called again. With `nodes`, their front is used instead.
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<ListeningAddress>;
  /**
   * Returns a URL with a one-time code that signs in the first browser to open it. `onUsed` is called then. Only while
   * listening.
   */
  createLaunchUrl(onUsed?: () => void): string;
  /**
   * Returns a short code for pairing a device, and a URL with that code. Throws `RATE_LIMITED`. Only while listening.
   */
  createPairing(): ShownPairing;
  /**
   * Gives a session's agent access to the gateway's tools. Disposing it cancels the calls still running and revokes the
   * token. Only while listening.
   */
  openToolAccess(sessionId: string): ToolAccess;
  /**
   * Issues a token for an agent that the gateway does not start, and creates a session for it. The agent calls tools
   * over MCP. Rejects like creating a session does, and with `ServerError` when there are too many tokens. Only while
   * listening.
   */
  issueAgentToken(label: string): Promise<AgentToken>;
  /**
   * Replaces the certificate for new connections; open ones stay. Throws `ServerError`, and keeps the old one, for a
   * certificate that browsers would not accept or that is not for the public host. Only while listening with TLS.
   */
  replaceTls(tls: Tls): void;
  /** Opens the metrics for a separate reader. */
  openMetrics(): MetricReader;
  /** Notifies MCP clients that the list of tools has changed. */
  announceTools(): Promise<void>;
  /** Stops accepting connections. Open ones are served until `close`. */
  stopListening(): void;
  /** Stops accepting connections, ends streams with `closing {reason: "draining"}`, and lets requests finish. */
  close(): Promise<void>;
}

export interface ListeningAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** A code and URL for pairing another device, valid for five minutes. */
export interface ShownPairing extends Pairing {
  readonly url: string;
}

/** Reads the gateway's metrics. */
export type MetricReader = Pick<Metrics, "families" | typeof Symbol.dispose>;

/** The URL and token for calling tools over MCP. */
export interface ToolAccess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/**
 * Serves a gateway over HTTP and WebSocket. Throws `ServerError` for unusable options. Nothing starts before `listen`.
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
  #front: Front | undefined;
  /** A separate listener for the gateway's own agents, needed with TLS. */
  #toolDoor: Server | undefined;
  #sockets: SocketEndpoint | undefined;
  #url: string | undefined;
  /** Where the gateway's own agents call its tools. */
  #toolUrl: string | undefined;
  #revoking: Disposable | undefined;
  #sweeping: Disposable | undefined;
  /** Serialises token creation, so that tokens can be counted. */
  #issuing: Promise<unknown> = Promise.resolve();
  /** Resolves when the last connection has ended. Set when it stops listening. */
  #closed: Promise<unknown> | undefined;

  constructor(options: ServerOptions, publicUrl: URL | undefined) {
    this.#options = options;
    this.#publicUrl = publicUrl;
    this.#context = createContext(options);
  }

  async listen(address: { host: string; port: number }): Promise<ListeningAddress> {
    const { webRoot, tls, nodes } = this.#options;
    const files =
      webRoot === undefined ? NO_FILES : await loadStaticFiles(webRoot, this.#publicUrl);
    await endUnadmitted({ ...this.#context, credentials: this.#context.gateway.credentials });
    const routes = createRoutes(this.#context);
    const front = nodes?.front ?? (await this.#openFront(address));
    this.#serve(front, routes, files);
    this.#front = front;
    this.#revoking = endRevoked(this.#context);
    const { gateway } = this.#context;
    this.#sweeping = endOverdue({
      ...this.#context,
      credentials: gateway.credentials,
      onError: (error) => this.#context.log.error(describeError(error), "sweep failed"),
    });
    this.#url = front.url;
    this.#toolUrl = tls ? await this.#openToolDoor(routes) : front.url;
    return { url: front.url, host: address.host, port: front.port };
  }

  #openFront({ host, port }: { host: string; port: number }): Promise<Front> {
    const { tls, embedOrigins } = this.#options;
    const { proxies, strangers, room, clock, log, metricsAccess } = this.#context;
    const shared = { proxies, strangers, room, clock, log, probes: probesFor(metricsAccess) };
    return Front.open({ host, port, tls, embedOrigins, publicUrl: this.#publicUrl, ...shared });
  }

  #serve(front: Front, routes: readonly Route[], files: StaticFiles): void {
    const { proxies, pageUrls } = this.#context;
    const { nodes } = this.#options;
    const { allowed } = front;
    const sockets = new SocketEndpoint(this.#context);
    this.#sockets = sockets;
    for (const url of allowed.pageUrls) pageUrls.add(url);
    const app = getRequestListener(createApp(this.#context, routes, files).fetch);
    const handle: RequestListener = (incoming, outgoing) => void app(incoming, outgoing);
    const upgrade: FrontHandlers["upgrade"] = (incoming, stream, head) =>
      sockets.open(incoming, stream, head);
    front.use({
      request: this.#listenerOf(handle, allowed),
      accepts: (incoming) =>
        opensSocket(incoming) && refuseForeign(incoming, allowed) === undefined,
      upgrade(incoming, stream, head) {
        identifyClient(incoming, proxies);
        upgrade(incoming, stream, head);
      },
    });
    // The forwarding node has already checked host and origin.
    nodes?.door.use({
      fence: nodes.fence,
      request: (incoming, outgoing) => {
        this.#running.track(outgoing);
        logRequest(incoming, outgoing, this.#context);
        handle(incoming, outgoing);
      },
      accepts: opensSocket,
      upgrade,
      onPageUrls: (others) => others.forEach((url) => pageUrls.add(url)),
    });
  }

  #listenerOf(handle: RequestListener, allowed: AllowedHosts): RequestListener {
    return createListener({ ...this.#context, handle, allowed, running: this.#running });
  }

  /**
   * Opens a separate port on loopback for the gateway's own agents, which offers tools only, so that they need not
   * trust the certificate. Resolves to its URL.
   */
  async #openToolDoor(routes: readonly Route[]): Promise<string> {
    const http = createNodeServer({ shouldUpgrade: () => false });
    const host = "127.0.0.1";
    const port = await listenOn(http, { host, port: 0 });
    const tools = routes.filter(({ path }) => path === MCP_PATH);
    const app = getRequestListener(createApp(this.#context, tools, NO_FILES).fetch);
    const handle: RequestListener = (incoming, outgoing) => void app(incoming, outgoing);
    const { strangers, room } = this.#context;
    strangers.watch(http);
    room.watch(http);
    http.on("request", this.#listenerOf(handle, toAllowedHosts({ host, port })));
    this.#toolDoor = http;
    return `http://${host}:${port}`;
  }

  createLaunchUrl(onUsed?: () => void): string {
    return this.#toLaunchUrl(this.#context.launchCodes.issue(onUsed));
  }

  createPairing(): ShownPairing {
    const pairing = this.#context.gateway.pairings.create();
    return { ...pairing, url: this.#toLaunchUrl(pairing.code) };
  }

  /** Includes the thumbprint of the gateway's key, so that the code is not sent to another program. */
  #toLaunchUrl(code: string): string {
    const { thumbprint } = this.#context.identity;
    return urlAt(this.#publicBase(), `/#code=${code}&gateway=${thumbprint}`);
  }

  /** The base URL for people. */
  #publicBase(): string {
    if (this.#url === undefined) throw new Error("A launch URL needs a server that listens.");
    return this.#publicUrl?.href ?? this.#url;
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

  /**
   * Throws when there are too many agent tokens. Agents can run the command line too, and each token may take memory
   * and disk space.
   */
  async #assertRoomForAgent(): Promise<void> {
    const listed = await this.#context.gateway.credentials.list();
    if (listed.filter(({ kind }) => kind === "agent").length < MAX_AGENT_TOKENS) return;
    throw new ServerError(
      "TOO_MANY_TOKENS",
      `Agents have ${MAX_AGENT_TOKENS} tokens already. Revoke some on the page Devices and programs, or delete their sessions.`,
    );
  }

  replaceTls(tls: Tls): void {
    if (!this.#front) throw new Error("This server has no TLS.");
    this.#front.replaceTls(tls);
  }

  openMetrics(): MetricReader {
    return this.#context.openMetrics();
  }

  announceTools(): Promise<void> {
    return this.#context.mcp.announceTools();
  }

  stopListening(): void {
    const toolDoor = this.#toolDoor;
    const { nodes } = this.#options;
    // A node's front keeps listening, for other handlers.
    if (this.#front && !nodes) this.#front.stopListening();
    if (!toolDoor) return;
    this.#closed ??= new Promise<void>((resolve) => toolDoor.close(() => resolve()));
  }

  async close(): Promise<void> {
    this.stopListening();
    const front = this.#front;
    const sockets = this.#sockets;
    this.#front = undefined;
    this.#sockets = undefined;
    this.#url = undefined;
    this.#sweeping?.[Symbol.dispose]();
    this.#toolUrl = undefined;
    if (!front) return;
    const { nodes } = this.#options;
    const { clock, streams, mcp } = this.#context;
    const closeConnections = (): void => {
      front.closeConnections();
      this.#toolDoor?.closeAllConnections();
    };
    const grace = clock.after(CLOSING_GRACE_MS, closeConnections);
    await Promise.all([streams.endAll("draining"), sockets?.close(), mcp.closeAll()]);
    await this.#running.settled();
    if (nodes) this.#toolDoor?.closeAllConnections();
    // Closes idle connections too: browsers hold connections open that have had no request, which Node does not treat
    // as idle.
    else await front.close();
    this.#toolDoor?.closeAllConnections();
    await this.#closed;
    grace[Symbol.dispose]();
    this.#revoking?.[Symbol.dispose]();
    this.#context.metrics[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
