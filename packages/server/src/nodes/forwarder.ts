import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { Agent, request, type RequestOptions } from "node:https";
import { type Duplex, pipeline } from "node:stream";
import type { TLSSocket } from "node:tls";

import type { Clock } from "@holdpoint/engine";

import { takenPathOf } from "../http/public-path.ts";
import type { ForwardedClient } from "../http/trusted-proxies.ts";
import { answerProblem, answerUpgradeProblem, noWorkingNode } from "./answer-problem.ts";
import { endToEnd, toForwardingHeaders } from "./forwarding-headers.ts";
import { clientLink, type LinkKey } from "./node-link.ts";

/** Time limit for connecting to a node. A healthy network needs less. */
const CONNECT_LIMIT_MS = 3000;
/** Shorter than the node door's keep-alive timeout. */
const IDLE_MS = 60_000;
const PROBE_LIMIT_MS = 2000;
const MAX_IDLE_CONNECTIONS = 64;

/** The working node, as recorded in the lease. Never taken from a request. */
export interface ForwardTarget {
  /** `HOST:PORT` of its node door. */
  readonly address: string;
  readonly fence: number;
}

export interface ForwarderOptions {
  readonly key: LinkKey;
  readonly clock: Clock;
  /** Base URLs of the pages that this node serves. */
  readonly pageUrls: ReadonlySet<string>;
}

/**
 * Forwards requests to the working node. No request is sent twice: if one may have arrived but got no answer, its
 * connection is closed, which clients handle like any lost connection.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #running = new Set<() => void>();
  #target: ForwardTarget | undefined;
  #agent: Agent | undefined;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Sets the working node. Requests forwarded to another node are aborted, and their clients retry. */
  pointTo(target: ForwardTarget | undefined): void {
    const { address, fence } = this.#target ?? {};
    if (target?.address === address && target?.fence === fence) return;
    this.#target = target;
    for (const end of this.#running) end();
    this.#agent?.destroy();
    this.#agent = target && this.#createAgent();
  }

  close(): void {
    this.pointTo(undefined);
  }

  /** Forwards a request. `onAnswer` gets the status of the answer. */
  forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { client, onAnswer }: { client: ForwardedClient; onAnswer: (status: number) => void },
  ): void {
    const sending = this.#send(incoming, client, { agent: this.#agent });
    if (!sending) return answerProblem(outgoing, noWorkingNode());
    const { upstream, wasSent } = sending;
    const end = (): void => void upstream.destroy();
    this.#running.add(end);
    outgoing.once("close", () => {
      this.#running.delete(end);
      end();
    });
    upstream.on("response", (answer) => {
      onAnswer(answer.statusCode ?? 0);
      passAnswerOn(answer, incoming, outgoing);
    });
    upstream.on("error", () => {
      if (outgoing.headersSent) return void outgoing.destroy();
      const isRepeatable = incoming.method === "GET" || incoming.method === "HEAD";
      if (wasSent() && !isRepeatable) return void incoming.socket.destroy();
      answerProblem(outgoing, noWorkingNode());
    });
    // When the client disconnects, the close of the answer ends the forwarded request.
    incoming.pipe(upstream);
  }

  /** Forwards a WebSocket. `onData` is called once, when the first bytes arrive from the working node. */
  upgrade(
    incoming: IncomingMessage,
    stream: Duplex,
    { head, client, onData }: { head: Buffer; client: ForwardedClient; onData: () => void },
  ): void {
    const upgrading = ["Connection", "Upgrade", "Upgrade", "websocket"];
    const sending = this.#send(incoming, client, { agent: false, more: upgrading });
    if (!sending) return answerUpgradeProblem(stream, noWorkingNode());
    const { upstream } = sending;
    const end = (): void => {
      upstream.destroy();
      stream.destroy();
    };
    this.#running.add(end);
    stream.on("error", () => undefined);
    stream.once("close", () => {
      this.#running.delete(end);
      upstream.destroy();
    });
    upstream.on("upgrade", (answer, socket, first) => {
      stream.write(toHead(answer, answer.rawHeaders));
      if (first.length > 0) socket.unshift(first);
      if (head.length > 0) socket.write(head);
      socket.once("data", onData);
      join(stream, socket);
    });
    upstream.on("response", (answer) => {
      stream.write(toHead(answer, [...endToEnd(answer.rawHeaders), "Connection", "close"]));
      pipeline(answer, stream, () => undefined);
    });
    upstream.on("error", () => {
      if (!stream.writable) return;
      answerUpgradeProblem(stream, noWorkingNode());
    });
    upstream.end();
  }

  /** True when the working node can be reached and reports that it is ready. */
  async probe(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const upstream = this.#open({ method: "GET", path: "/readyz", headers: ["Host", "localhost"] });
    if (!upstream) return false;
    upstream.setTimeout(PROBE_LIMIT_MS, () => upstream.destroy());
    upstream.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    upstream.on("error", () => resolve(false));
    upstream.on("close", () => resolve(false));
    upstream.end();
    return promise;
  }

  #createAgent(): Agent {
    return new Agent({
      ...clientLink(this.#options.key),
      keepAlive: true,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      maxCachedSessions: 0,
    });
  }

  #send(
    incoming: IncomingMessage,
    client: ForwardedClient,
    { agent, more = [] }: { agent: Agent | false | undefined; more?: readonly string[] },
  ): { upstream: ClientRequest; wasSent: () => boolean } | undefined {
    const { method = "GET", url = "/", rawHeaders } = incoming;
    const headers = [...endToEnd(rawHeaders), ...more];
    const publicPath = takenPathOf(incoming);
    const upstream = this.#open({ method, path: url, headers, agent, client, publicPath });
    if (!upstream) return undefined;
    let isSent = false;
    upstream.once("socket", (socket) => {
      // A reused connection sends the request immediately.
      if (upstream.reusedSocket) isSent = true;
      else (socket as TLSSocket).once("secureConnect", () => (isSent = true));
    });
    return { upstream, wasSent: () => isSent };
  }

  #open({
    headers,
    client = { address: undefined },
    agent = this.#agent,
    publicPath,
    ...rest
  }: Pick<RequestOptions, "method" | "path"> & {
    headers: readonly string[];
    client?: ForwardedClient;
    agent?: Agent | false | undefined;
    publicPath?: string | undefined;
  }): ClientRequest | undefined {
    const { key, clock, pageUrls } = this.#options;
    const target = this.#target;
    const { hostname, port } = URL.parse(`tcp://${target?.address ?? ""}`) ?? {};
    if (!target || hostname === undefined) return undefined;
    const words = toForwardingHeaders({ client, pageUrls, fence: target.fence, path: publicPath });
    const upstream = request({
      ...rest,
      ...clientLink(key),
      host: hostname.replace(/^\[|\]$/gu, ""),
      port,
      agent,
      headers: [...headers, ...words] as unknown as RequestOptions["headers"],
    });
    const limit = clock.after(CONNECT_LIMIT_MS, () => upstream.destroy());
    const connected = (): void => limit[Symbol.dispose]();
    upstream.once("socket", (socket) => {
      socket.setNoDelay(true);
      if (upstream.reusedSocket) connected();
      else socket.once("secureConnect", connected);
    });
    upstream.once("close", connected);
    return upstream;
  }
}

function passAnswerOn(
  answer: IncomingMessage,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { statusCode = 502, rawHeaders } = answer;
  outgoing.writeHead(statusCode, endToEnd(rawHeaders));
  // An event stream's headers are sent before its first event. A short answer is sent in one write.
  if (answer.headers["content-length"] === undefined) outgoing.flushHeaders();
  outgoing.once("finish", () => {
    // The rest of a refused body is not read.
    if (!incoming.complete) incoming.socket.destroySoon();
  });
  // A truncated answer breaks the connection, so that it cannot be taken for complete.
  pipeline(answer, outgoing, () => undefined);
}

function toHead({ statusCode, statusMessage }: IncomingMessage, raw: readonly string[]): string {
  const lines = raw.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ""}\r\n`] : [],
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}\r\n`;
}

function join(stream: Duplex, socket: Duplex): void {
  pipeline(stream, socket, () => socket.destroy());
  pipeline(socket, stream, () => stream.destroy());
}
