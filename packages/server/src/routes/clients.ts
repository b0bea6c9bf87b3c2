import { interactionModeBodySchema } from "@holdpoint/protocol";
import { z } from "zod";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { idParameter } from "./parameters.ts";

export function clientRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: "/api/clients/{clientId}/interaction-mode",
      operationId: "setInteractionMode",
      summary: "Let a client answer, or make it read-only",
      params: z.object({ clientId: idParameter }),
      body: interactionModeBodySchema,
      answers: { 204: { description: "The mode is set." } },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params, body }) => {
        await gateway.setInteractionMode(caller, params.clientId, body.enabled);
        return c.body(null, 204);
      },
    }),
  ];
}
