import type { RequestListener } from "node:http";

import type { Clock } from "@holdpoint/engine";

import { type AllowedHosts, isLoopback } from "./allowed-hosts.ts";
import { identifyClient } from "./client-address.ts";
import { allowReading, answerPreflight, isPreflight } from "./embed-origins.ts";
import { problemHeaders, problemOf } from "./problem-response.ts";
import { RefusedHosts } from "./refused-hosts.ts";
import { embeddingOrigin, isApiPath, isProbe, refuseForeign } from "./request-guard.ts";
import { logRequest, note, type RequestNotes, type ServerLog } from "./request-log.ts";
import type { RunningRequests } from "./running-requests.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import type { ForwardedClient, TrustedProxies } from "./trusted-proxies.ts";

export interface ListenerOptions {
  /** Handles each request that passes the checks. */
  readonly handle: RequestListener;
  readonly allowed: AllowedHosts;
  readonly running: RunningRequests;
  readonly proxies: TrustedProxies;
  readonly log: ServerLog;
  readonly clock: Clock;
}

/**
 * Runs before the router for every request: logging, the headers of all answers (including streams and refusals), and
 * the checks of host and origin.
 */
export function createListener({
  handle,
  allowed,
  running,
  proxies,
  log,
  clock,
}: ListenerOptions): RequestListener {
  const refusedHosts = new RefusedHosts(log);
  return (incoming, outgoing) => {
    running.track(outgoing);
    logRequest(incoming, outgoing, { log, clock });
    note(incoming, toNotes(identifyClient(incoming, proxies)));
    for (const [name, value] of SECURITY_HEADERS) outgoing.setHeader(name, value);
    if (isApiPath(incoming.url ?? "")) outgoing.setHeader("Cache-Control", "no-store");
    const refusal = refuseForeign(incoming, allowed);
    const embedding = refusal ? undefined : embeddingOrigin(incoming, allowed);
    if (embedding !== undefined) allowReading(outgoing, embedding);
    if (embedding !== undefined && isPreflight(incoming)) return answerPreflight(outgoing);
    // The router accepts only valid host names, and a monitor may send any text.
    if (isProbe(incoming, allowed)) incoming.headers.host = "localhost";
    if (!refusal) return handle(incoming, outgoing);
    if (refusal.code === "MISDIRECTED") refusedHosts.note(incoming.headers.host ?? "");
    const problem = problemOf(refusal);
    outgoing.writeHead(problem.status, { ...problemHeaders(problem), Connection: "close" });
    outgoing.end(JSON.stringify(problem));
  };
}

/** Addresses on this machine are not logged. */
function toNotes({ address, protocol }: ForwardedClient): RequestNotes {
  return {
    ...(address !== undefined && !isLoopback(address) && { address }),
    ...(protocol !== undefined && { protocol }),
  };
}
