import { ProtocolError } from "@holdpoint/protocol";
import { type Context, Hono } from "hono";

import { isFault, problemOf, problemResponse } from "./http/problem-response.ts";
import { isApiPath } from "./http/request-guard.ts";
import { describeError } from "./http/request-log.ts";
import type { Route } from "./http/route.ts";
import { type ServerHandler, toHandler } from "./http/run-route.ts";
import type { ServerEnv } from "./http/server-env.ts";
import { framesRoute } from "./openapi/frames-route.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { allRoutes } from "./routes/all-routes.ts";
import type { ServerContext } from "./server-context.ts";
import type { StaticFiles } from "./static/static-files.ts";
import { answerServiceWorker, answerStatic } from "./static/static-handler.ts";

/** Returns the server's routes, including the OpenAPI document. */
export function createRoutes(context: ServerContext): Route[] {
  const routes = allRoutes(context);
  const described = [...routes, framesRoute(context.version)];
  return [...described, openApiRoute(described, context.version)];
}

/** Creates the router for all routes and the web interface. Throws when a route has no `access`. */
export function createApp(
  context: ServerContext,
  routes: readonly Route[],
  files: StaticFiles,
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(async (c, next) => answerServiceWorker(c, files) ?? next());
  for (const [path, methods] of Map.groupBy(routes, ({ path }) => path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const allowed = methods.map(({ method }) => method).join(", ");
    for (const route of methods) {
      app.on(route.method, pattern, withoutHead(toHandler(route, context), allowed));
    }
    app.all(pattern, () => methodNotAllowed(allowed));
  }
  app.notFound((c) => answerUnrouted(c, files));
  app.onError((error, c) => answerError(error, c, context));
  return app;
}

/** Refuses HEAD: Hono would run the GET handler for it and discard the result, which is costly for streams. */
function withoutHead(handle: ServerHandler, allowed: string): ServerHandler {
  return async (c) => (c.req.method === "HEAD" ? methodNotAllowed(allowed) : handle(c));
}

function answerUnrouted(c: Context<ServerEnv>, files: StaticFiles): Response {
  if (!isApiPath(c.req.path)) {
    const answer = answerStatic(c, files);
    if (answer) return answer;
    const isFile = files(c.env.incoming).has(c.req.path) || c.req.path === "/";
    if (isFile && c.req.method !== "GET") return methodNotAllowed("GET, HEAD");
  }
  return problemResponse(problemOf(new ProtocolError("NOT_FOUND", "There is nothing here.")));
}

function methodNotAllowed(allowed: string): Response {
  const error = new ProtocolError("METHOD_NOT_ALLOWED", `Only ${allowed} is possible here.`);
  return problemResponse(problemOf(error), { Allow: allowed });
}

function answerError(error: unknown, c: Context<ServerEnv>, { log }: ServerContext): Response {
  if (isFault(error)) {
    log.error({ method: c.req.method, ...describeError(error) }, "request failed");
  }
  return problemResponse(problemOf(error));
}
