import { healthSchema } from "@holdpoint/protocol";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";

export function healthRoutes({ gateway, version }: ServerContext): Route[] {
  return [
    defineOpenRoute({
      method: "GET",
      path: "/healthz",
      operationId: "getHealth",
      summary: "Whether the gateway takes work",
      access: "anyone",
      answers: {
        200: jsonAnswer("It does.", healthSchema),
        503: jsonAnswer("It is stopping.", healthSchema),
      },
      handle: ({ c }) =>
        gateway.draining
          ? c.json({ status: "draining", version }, 503)
          : c.json({ status: "ok", version }, 200),
    }),
  ];
}
