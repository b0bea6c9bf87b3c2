import type { Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { agentRoutes } from "./agents.ts";
import { authRoutes } from "./auth.ts";
import { clientRoutes } from "./clients.ts";
import { eventRoutes } from "./events.ts";
import { grantRoutes } from "./grants.ts";
import { healthRoutes } from "./health.ts";
import { interactionRoutes } from "./interactions.ts";
import { mcpRoutes } from "./mcp.ts";
import { messageRoutes } from "./messages.ts";
import { sessionRoutes } from "./sessions.ts";
import { toolCallRoutes } from "./tool-calls.ts";
import { toolRoutes } from "./tools.ts";

/** Every route but that of the OpenAPI document, which is made from them. */
export function allRoutes(context: ServerContext): Route[] {
  return [
    ...healthRoutes(context),
    ...authRoutes(context),
    ...agentRoutes(context),
    ...sessionRoutes(context),
    ...messageRoutes(context),
    ...eventRoutes(context),
    ...toolCallRoutes(context),
    ...interactionRoutes(context),
    ...grantRoutes(context),
    ...clientRoutes(context),
    ...toolRoutes(context),
    ...mcpRoutes(context),
  ];
}
