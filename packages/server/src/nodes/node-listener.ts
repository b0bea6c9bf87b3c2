import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Duplex } from "node:stream";

import { ProtocolError } from "@holdpoint/protocol";

import { toUrlHost } from "../http/allowed-hosts.ts";
import { trustForwardedClient } from "../http/client-address.ts";
import type { FrontHandlers } from "../http/front.ts";
import { listenOn } from "../http/http-server.ts";
import { believePath } from "../http/public-path.ts";
import { describeError, type ServerLog } from "../http/request-log.ts";
import {
  answerProblem,
  answerUpgradeProblem,
  noWorkingNode,
  otherRelease,
} from "./answer-problem.ts";
import { isUnderstood, readForwardingFacts } from "./forwarding-headers.ts";
import { type LinkKey, serverLink } from "./node-link.ts";

/**
 * Longer than nodes keep idle connections, so that the forwarding node closes them and never sends a request on a
 * closed one.
 */
const KEEP_ALIVE_MS = 10 * 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 32 * 1024;

export interface NodeListenerOptions {
  readonly host: string;
  /** 0 for any free port: other nodes read it from the lease. */
  readonly port: number;
  readonly key: LinkKey;
  readonly log: ServerLog;
}

/** The handlers of requests from other nodes, while this node is the working one. */
export interface NodeHandlers extends Pick<FrontHandlers, "accepts" | "request" | "upgrade"> {
  /** The fence of the lease that this node works under. Requests with another fence are refused. */
  readonly fence: number;
  /** Called with the base URLs of the pages that another node serves. */
  readonly onPageUrls: (pageUrls: ReadonlySet<string>) => void;
}

interface Answering {
  handlers?: NodeHandlers | undefined;
}

/**
 * Receives requests that other nodes forward to this one. It never forwards any, so requests cannot loop: while this
 * node is not the working one, it answers `NO_WORKING_NODE`.
 */
export class NodeListener {
  /** `HOST:PORT`. */
  readonly address: string;
  readonly #http: Server;
  readonly #answering: Answering;
  readonly #log: ServerLog;
  #hasRefused = false;

  static async open(options: NodeListenerOptions): Promise<NodeListener> {
    const { key, log } = options;
    const answering: Answering = {};
    const http = createServer({
      ...serverLink(key),
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      shouldUpgradeCallback: (incoming: IncomingMessage) =>
        answering.handlers?.accepts(incoming) ?? false,
    });
    http.on("error", (error) => log.error(describeError(error), "the door for nodes failed"));
    const { host } = options;
    const port = await listenOn(http, { host, port: options.port });
    return new NodeListener(http, { address: `${toUrlHost(host)}:${port}`, answering, log });
  }

  private constructor(
    http: Server,
    { address, answering, log }: { address: string; answering: Answering; log: ServerLog },
  ) {
    this.#answering = answering;
    this.#log = log;
    this.address = address;
    this.#http = http;
    http.on("request", (incoming, outgoing) => this.#answer(incoming, outgoing));
    http.on("upgrade", (incoming, stream, head) => this.#upgrade(incoming, stream, head));
  }

  /** Sets the handlers; `undefined` while this node is not the working one. */
  use(handlers: NodeHandlers | undefined): void {
    this.#answering.handlers = handlers;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const admitted = this.#admit(incoming);
    if (ProtocolError.isInstance(admitted)) return answerProblem(outgoing, admitted);
    admitted.request(incoming, outgoing);
  }

  #upgrade(incoming: IncomingMessage, stream: Duplex, head: Buffer): void {
    const admitted = this.#admit(incoming);
    if (ProtocolError.isInstance(admitted)) return answerUpgradeProblem(stream, admitted);
    admitted.upgrade(incoming, stream, head);
  }

  #admit(incoming: IncomingMessage): NodeHandlers | ProtocolError {
    const { handlers } = this.#answering;
    if (!isUnderstood(incoming)) return this.#refuseOther();
    const words = readForwardingFacts(incoming);
    if (!handlers || words.fence !== handlers.fence) return noWorkingNode();
    trustForwardedClient(incoming, words.client);
    if (words.path !== undefined) believePath(incoming, words.path);
    handlers.onPageUrls(words.pageUrls);
    return handlers;
  }

  #refuseOther(): ProtocolError {
    if (!this.#hasRefused) {
      this.#log.warn({}, "another node has a release that this one does not understand");
    }
    this.#hasRefused = true;
    return otherRelease();
  }
}
