import { toolListSchema, type ToolSummary } from "@holdpoint/protocol";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";

export function toolRoutes({ gateway, ownTools }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/tools",
      operationId: "listTools",
      summary: "Tools that the gateway offers to agents, and errors of files that define tools",
      access: "person",
      role: "viewer",
      answers: { 200: jsonAnswer("The tools.", toolListSchema) },
      handle: ({ c }) => c.json({ items: [...builtIn(), ...ownTools()] }, 200),
    }),
  ];

  /** The built-in tools that the gateway's own tools do not replace. */
  function builtIn(): ToolSummary[] {
    const own = new Set(ownTools().map(({ name }) => name));
    return gateway.tools
      .list()
      .filter(({ name }) => !own.has(name))
      .map(({ name, description }) => ({ name, description, source: "built-in" }));
  }
}
