import { healthSchema, readinessSchema } from "@holdpoint/protocol";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";

/**
 * For monitors, which may use any host name and have no token. The answers contain a status and, for a node, its role.
 */
export function healthRoutes({ gateway, isNode, room }: ServerContext): Route[] {
  const role = isNode && ({ role: "working" } as const);
  return [
    defineOpenRoute({
      method: "GET",
      path: "/healthz",
      operationId: "getHealth",
      summary: "Whether the gateway runs",
      access: "anyone",
      answers: {
        200: jsonAnswer("The gateway runs.", healthSchema),
        503: jsonAnswer("It is stopping.", healthSchema),
      },
      handle: ({ c }) =>
        gateway.draining
          ? c.json({ status: "draining", ...role }, 503)
          : c.json({ status: "ok", ...role }, 200),
    }),
    defineOpenRoute({
      method: "GET",
      path: "/readyz",
      operationId: "getReadiness",
      summary: "Whether the gateway takes work and connections, and its store takes writes",
      access: "anyone",
      answers: {
        200: jsonAnswer("The gateway is ready.", readinessSchema),
        503: jsonAnswer(
          "It is stopping, refuses connections, or its store takes nothing.",
          readinessSchema,
        ),
      },
      handle: async ({ c }) => {
        if (gateway.draining) return c.json({ status: "draining", ...role }, 503);
        if (room.isFull) return c.json({ status: "connections_full", ...role }, 503);
        return (await gateway.takesWrites())
          ? c.json({ status: "ready", ...role }, 200)
          : c.json({ status: "store_unavailable", ...role }, 503);
      },
    }),
  ];
}
