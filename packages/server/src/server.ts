import { createServer as createHttpServer, type Server } from "node:http";

import type { AgentToken } from "@holdpoint/protocol";

import { createApp, createRoutes } from "./app.ts";
import { endRevoked } from "./auth/end-revoked.ts";
import { issueAgentToken } from "./auth/issue-agent-token.ts";
import { createContext } from "./create-context.ts";
import { isLoopback, isWildcard, toAllowedHosts, toUrlHost } from "./http/allowed-hosts.ts";
import { createListener } from "./http/listener.ts";
import { describeError } from "./http/request-log.ts";
import { RunningRequests } from "./http/running-requests.ts";
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
/** How long the head of a request may take, from the first byte of its connection. */
const HEADERS_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Longer than clients keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 75_000;

/** A gateway on the network. */
export interface GatewayServer extends AsyncDisposable {
  /**
   * Starts to listen; port 0 takes any free one. Rejects with `ServerError`, or with Node's own error when the
   * system refuses the address; then it may be called again.
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<ListeningAddress>;
  /** A URL with a one-time code: the first browser that opens it is signed in. Only while listening. */
  createLaunchUrl(): string;
  /**
   * A way for the agent of a session to call the gateway's tools. Disposing it ends the calls that still run there, and
   * its token is refused from then on. Only while listening.
   */
  openToolAccess(sessionId: string): ToolAccess;
  /**
   * A token with which an agent that the gateway does not start calls its tools over MCP, with a new session for it.
   * Rejects as creating a session does. Only while listening.
   */
  issueAgentToken(label: string): Promise<AgentToken>;
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
  return new HttpGatewayServer(options, parsePublicUrl(options.publicUrl));
}

class HttpGatewayServer implements GatewayServer {
  readonly #options: ServerOptions;
  readonly #publicUrl: URL | undefined;
  readonly #context: ServerContext;
  readonly #running = new RunningRequests();
  #http: Server | undefined;
  #sockets: SocketEndpoint | undefined;
  #url: string | undefined;
  #revoking: Disposable | undefined;
  /** Once it has stopped to listen: resolves when its last connection has ended. */
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, publicUrl: URL | undefined) {
    this.#options = options;
    this.#publicUrl = publicUrl;
    this.#context = createContext(options);
  }

  async listen(address: { host: string; port: number }): Promise<ListeningAddress> {
    const { host } = address;
    if (!isLoopback(host) && this.#publicUrl?.protocol !== "https:") {
      throw new ServerError(
        "BIND_REFUSED",
        `${host} can be reached from the network: that needs an https public URL in front of it.`,
      );
    }
    const { embedOrigins, webRoot } = this.#options;
    const files = webRoot === undefined ? new Map() : await loadStaticFiles(webRoot);
    const app = createApp(this.#context, createRoutes(this.#context), files);
    const http = createHttpServer({
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 60_000,
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 5000,
      shouldUpgradeCallback: (incoming) => this.#sockets?.accepts(incoming) ?? false,
    });
    this.#context.strangers.watch(http);
    const port = await listenOn(http, address);
    const allowed = toAllowedHosts({ host, port, publicUrl: this.#publicUrl, embedOrigins });
    http.on("request", createListener({ app, allowed, running: this.#running, ...this.#context }));
    const sockets = new SocketEndpoint(this.#context, allowed);
    http.on("upgrade", (incoming, stream, head) => sockets.open(incoming, stream, head));
    // Such as a connection that there is no file descriptor for: the next one may find one.
    http.on("error", (error) => this.#context.log.error(describeError(error), "server failed"));
    this.#http = http;
    this.#sockets = sockets;
    this.#revoking = endRevoked(this.#context);
    const url = `http://${isWildcard(host) ? "127.0.0.1" : toUrlHost(host)}:${port}`;
    this.#url = url;
    return { url, host, port };
  }

  createLaunchUrl(): string {
    if (this.#url === undefined) throw new Error("A launch URL needs a server that listens.");
    const base = this.#publicUrl?.origin ?? this.#url;
    return `${base}/#code=${this.#context.launchCodes.issue()}`;
  }

  openToolAccess(sessionId: string): ToolAccess {
    if (this.#url === undefined) throw new Error("Access to tools needs a server that listens.");
    const { agentTokens, mcp } = this.#context;
    const { token, tokenId } = agentTokens.issue(sessionId);
    return {
      url: `${this.#url}/mcp`,
      token,
      async [Symbol.asyncDispose]() {
        agentTokens.revoke(tokenId);
        await mcp.revoke(tokenId);
      },
    };
  }

  async issueAgentToken(label: string): Promise<AgentToken> {
    if (this.#url === undefined) throw new Error("A token needs a server that listens.");
    const { personName = DEFAULT_PERSON_NAME } = this.#options;
    const caller = { principal: "person", person: personName, client: "Command line" } as const;
    return issueAgentToken(this.#context, caller, { label, url: this.#url });
  }

  announceTools(): Promise<void> {
    return this.#context.mcp.announceTools();
  }

  stopListening(): void {
    const http = this.#http;
    if (http) this.#closed ??= new Promise((resolve) => http.close(() => resolve()));
  }

  async close(): Promise<void> {
    this.stopListening();
    const http = this.#http;
    const sockets = this.#sockets;
    this.#http = undefined;
    this.#sockets = undefined;
    this.#url = undefined;
    if (!http) return;
    const { clock, streams, mcp } = this.#context;
    const grace = clock.schedule(clock.now() + CLOSING_GRACE_MS, () => http.closeAllConnections());
    await Promise.all([streams.endAll("draining"), sockets?.close(), mcp.closeAll()]);
    await this.#running.settled();
    // Browsers keep connections at hand that have not carried a request yet; those are not idle for Node.
    http.closeAllConnections();
    await this.#closed;
    grace[Symbol.dispose]();
    this.#revoking?.[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Resolves to the port once the server listens; rejects with Node's error when it cannot. */
async function listenOn(http: Server, address: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen({ ...address, exclusive: true }, () => {
      http.off("error", reject);
      resolve();
    });
  });
  const bound = http.address();
  if (bound === null || typeof bound === "string") throw new Error("The server has no port.");
  return bound.port;
}
