import type { Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { askRoutes } from "./asks.ts";
import { authRoutes } from "./auth.ts";
import { eventRoutes } from "./events.ts";
import { healthRoutes } from "./health.ts";
import { historyRoutes } from "./history.ts";
import { mcpRoutes } from "./mcp.ts";
import { metricsRoutes } from "./metrics.ts";
import { operationRoutes } from "./operations.ts";
import { signInRoutes } from "./sign-in.ts";
import { toolRoutes } from "./tools.ts";

/** All routes except the OpenAPI document's, which is generated from them. */
export function allRoutes(context: ServerContext): Route[] {
  return [
    ...healthRoutes(context),
    ...metricsRoutes(context),
    ...authRoutes(context),
    ...signInRoutes(context),
    ...operationRoutes(context),
    ...eventRoutes(context),
    ...historyRoutes(context),
    ...askRoutes(context),
    ...toolRoutes(context),
    ...mcpRoutes(context),
  ];
}
