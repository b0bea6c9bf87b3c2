import {
  detailsOf,
  eventPageSchema,
  type GatewayArguments,
  overviewFrameSchema,
  sessionFrameSchema,
} from "@holdpoint/protocol";

import { openEventStream } from "../http/open-event-stream.ts";
import { defineRoute, type Route, type RouteRequest } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { parseCursor } from "../streams/parse-cursor.ts";
import { operationRoute } from "./operations.ts";

export function eventRoutes(context: ServerContext): Route[] {
  return [sessionEvents(context), overviewEvents(context)];
}

/** A session's log on one path: as a page (an operation) or as a stream. */
function sessionEvents(context: ServerContext): Route {
  const page = operationRoute(context, "readEvents");
  return defineRoute<unknown, unknown, unknown>({
    ...page,
    operationId: "followSession",
    summary: "The session's log: replay after the cursor, then live; or, as JSON, a page of it",
    answers: {
      [detailsOf("readEvents").answer.status]: {
        description: "One `data:` line per frame; durable events have an `id:` to resume from.",
        content: { "text/event-stream": sessionFrameSchema, "application/json": eventPageSchema },
      },
    },
    handle: async (request) =>
      prefersJson(request.c.req.header("accept"))
        ? page.handle(request)
        : followSession(context, request),
  });
}

async function followSession(
  context: ServerContext,
  request: RouteRequest<unknown, unknown, unknown>,
): Promise<Response> {
  const { gateway } = context;
  const { c, caller } = request;
  const { sessionId } = request.params as { sessionId: string };
  const { after } = request.query as GatewayArguments<"readEvents">[1];
  const cursor = parseCursor(c.req.header("last-event-id"), after);
  // Checked first: an open stream can no longer answer 404.
  await gateway.getSession(caller, sessionId);
  return openEventStream(context, request, (signal) =>
    gateway.followSession(caller, sessionId, cursor, { signal }),
  );
}

function overviewEvents(context: ServerContext): Route {
  return defineRoute({
    method: "GET",
    path: "/api/events",
    operationId: "followOverview",
    summary: "All sessions: counts and first pages, then changes",
    access: "person",
    role: "viewer",
    answers: {
      200: {
        description: "One `data:` line per frame.",
        content: { "text/event-stream": overviewFrameSchema },
      },
    },
    handle: (request) => {
      const { caller } = request;
      return openEventStream(context, request, (signal) =>
        context.gateway.followOverview(caller, { signal }),
      );
    },
  });
}

function prefersJson(accept = ""): boolean {
  return accept.includes("application/json") && !accept.includes("text/event-stream");
}
