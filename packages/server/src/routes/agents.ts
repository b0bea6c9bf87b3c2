import { agentListSchema } from "@holdpoint/protocol";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer } from "./answers.ts";

export function agentRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/agents",
      operationId: "listAgents",
      summary: "Agents that can be started, and why others cannot",
      answers: { 200: jsonAnswer("The one offered first in front.", agentListSchema) },
      handle: async ({ c, caller }) => c.json({ items: await gateway.listAgents(caller) }, 200),
    }),
  ];
}
