import type { IncomingMessage } from "node:http";

import { ProtocolError } from "@holdpoint/protocol";
import type { Context } from "hono";
import { z } from "zod";

import { isLoopback } from "../http/allowed-hosts.ts";
import { clientAddress, isFromNode } from "../http/client-address.ts";
import { defineOpenRoute, defineRoute, type Route } from "../http/route.ts";
import type { ServerEnv } from "../http/server-env.ts";
import { METRICS_TYPE } from "../metrics/metric-text.ts";
import type { NodeRole } from "../metrics/metrics.ts";
import type { ServerContext } from "../server-context.ts";

/** Headers that show that a proxy forwarded the request. */
const OF_PROXIES = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** The metrics in the Prometheus text format. */
export function metricsRoutes({ metrics, metricsAccess, isNode }: ServerContext): Route[] {
  const facts = {
    method: "GET",
    path: "/metrics",
    operationId: "readMetrics",
    summary: "Figures of the gateway in the text format of Prometheus",
    answers: {
      200: { description: "The figures.", content: { "text/plain": z.string() } },
    },
  } as const;
  const roleOf = (incoming: IncomingMessage): NodeRole | undefined => {
    if (!isNode) return undefined;
    return isFromNode(incoming) ? "standby" : "working";
  };
  const answer = async (c: Context<ServerEnv>): Promise<Response> =>
    c.body(await metrics.read(roleOf(c.env.incoming)), 200, { "Content-Type": METRICS_TYPE });
  switch (metricsAccess) {
    case "off":
      return [];
    case "token":
      return [
        defineRoute({ ...facts, access: "person", role: "owner", handle: ({ c }) => answer(c) }),
      ];
    case "loopback":
      return [
        defineOpenRoute({
          ...facts,
          access: "anyone",
          problems: ["UNAUTHENTICATED"],
          handle: ({ c }) => {
            if (isOfThisMachine(c.env.incoming)) return answer(c);
            throw new ProtocolError(
              "UNAUTHENTICATED",
              "Only programs on this machine read figures.",
            );
          },
        }),
      ];
  }
}

/** True for a program on this machine that is not a proxy forwarding another client's request. */
function isOfThisMachine(incoming: IncomingMessage): boolean {
  const { socket, headers } = incoming;
  // For a forwarded request, the other node reports the client's address.
  const peer = isFromNode(incoming) ? clientAddress(incoming) : socket.remoteAddress;
  const address = peer?.replace(/^::ffff:/, "") ?? "";
  const name = headers.host?.replace(/:\d+$/, "").replace(/^\[|\]$/g, "") ?? "";
  const isForwarded = OF_PROXIES.some((header) => headers[header] !== undefined);
  return isLoopback(address) && isLoopback(name) && !isForwarded;
}
