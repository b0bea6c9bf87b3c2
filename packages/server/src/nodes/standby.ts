import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Clock } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

import { identifyClient } from "../http/client-address.ts";
import type { Front, FrontHandlers } from "../http/front.ts";
import { createListener } from "../http/listener.ts";
import { problemOf, problemResponse } from "../http/problem-response.ts";
import { isApiPath, refuseForeign } from "../http/request-guard.ts";
import type { ServerLog } from "../http/request-log.ts";
import { RunningRequests } from "../http/running-requests.ts";
import type { ServerEnv } from "../http/server-env.ts";
import type { TrustedProxies } from "../http/trusted-proxies.ts";
import { opensSocket } from "../socket/socket-endpoint.ts";
import type { StaticFiles } from "../static/static-files.ts";
import { answerServiceWorker, answerStatic } from "../static/static-handler.ts";
import type { Forwarder } from "./forwarder.ts";

/** Paths outside the API that the working node answers. */
const PASSED_ON: ReadonlySet<string> = new Set([
  "/metrics",
  "/openapi.json",
  "/socket-frames.json",
]);
/** Statuses that do not prove that the client has a valid credential. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421, 429]);

export interface StandbyOptions {
  readonly front: Front;
  readonly forwarder: Forwarder;
  readonly files: StaticFiles;
  /** True if the working node serves the same page: the page and the API must be of one release. */
  readonly hasOwnPage: () => boolean;
  readonly proxies: TrustedProxies;
  readonly log: ServerLog;
  readonly clock: Clock;
}

/** The handlers of a standby node: it serves the page itself, and forwards all else to the working node. */
export function createStandby(options: StandbyOptions): FrontHandlers {
  const { front, forwarder, proxies, log, clock, hasOwnPage } = options;
  const page = createPage(options.files);
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    forwarder.forward(incoming, outgoing, {
      client: proxies.clientOf(incoming),
      onAnswer(status) {
        const isKnown = incoming.headers.authorization !== undefined && !REFUSALS.has(status);
        if (isKnown) front.strangers.know(incoming.socket);
      },
    });
  const handle: RequestListener = (incoming, outgoing) => {
    const { method, url } = incoming;
    if (method === "GET" && url === "/healthz") return answer(outgoing, 200, "ok");
    if (method === "GET" && url === "/readyz") return void answerReadiness(outgoing, forwarder);
    if (isOfPage(incoming) && hasOwnPage()) return page(incoming, outgoing);
    forward(incoming, outgoing);
  };
  const { allowed } = front;
  return {
    request: createListener({
      handle,
      allowed,
      running: new RunningRequests(),
      proxies,
      log,
      clock,
    }),
    accepts: (incoming) => opensSocket(incoming) && refuseForeign(incoming, allowed) === undefined,
    upgrade(incoming, stream, head) {
      const client = identifyClient(incoming, proxies);
      // The working node sends data, and keeps the connection, only once the client has authenticated.
      const onData = (): void => front.strangers.know(incoming.socket);
      forwarder.upgrade(incoming, stream, { head, client, onData });
    },
  };
}

function isOfPage({ method, url = "", headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (headers["service-worker"] === "script") return true;
  return !isApiPath(url) && !PASSED_ON.has(url.split("?", 1)[0] ?? "");
}

function createPage(files: StaticFiles): RequestListener {
  const app = new Hono<ServerEnv>();
  app.use(async (c, next) => answerServiceWorker(c, files) ?? next());
  const nothing = new ProtocolError("NOT_FOUND", "There is nothing here.");
  app.notFound((c) => answerStatic(c, files) ?? problemResponse(problemOf(nothing)));
  const listener = getRequestListener(app.fetch);
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** A standby node is ready when it can forward requests. */
async function answerReadiness(outgoing: ServerResponse, forwarder: Forwarder): Promise<void> {
  if (await forwarder.probe()) answer(outgoing, 200, "ready");
  else answer(outgoing, 503, "no_working_node");
}

function answer(outgoing: ServerResponse, code: number, status: string): void {
  outgoing.writeHead(code, { "Content-Type": "application/json" });
  outgoing.end(JSON.stringify({ status, role: "standby" }));
}
