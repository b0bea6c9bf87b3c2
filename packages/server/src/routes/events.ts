import {
  eventPageQuerySchema,
  eventPageSchema,
  overviewFrameSchema,
  sessionFrameSchema,
} from "@holdpoint/protocol";

import { openEventStream } from "../http/open-event-stream.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { eventPageText } from "../streams/event-page-text.ts";
import { parseCursor } from "../streams/parse-cursor.ts";
import { sessionParams } from "./parameters.ts";

export function eventRoutes(context: ServerContext): Route[] {
  return [sessionEvents(context), overviewEvents(context)];
}

function sessionEvents(context: ServerContext): Route {
  const { gateway } = context;
  return defineRoute({
    method: "GET",
    path: "/api/sessions/{sessionId}/events",
    operationId: "followSession",
    summary: "The session's log: replay after the cursor, then live; or, as JSON, a page of it",
    params: sessionParams,
    query: eventPageQuerySchema,
    answers: {
      200: {
        description: "One `data:` line per frame; durable events have an `id:` to resume from.",
        content: { "text/event-stream": sessionFrameSchema, "application/json": eventPageSchema },
      },
    },
    problems: ["NOT_FOUND"],
    handle: async (request) => {
      const { c, caller, params, query } = request;
      if (prefersJson(c.req.header("accept"))) {
        const page = await gateway.readEventTexts(caller, params.sessionId, query);
        return c.body(eventPageText(page, gateway.epoch), 200, {
          "Content-Type": "application/json",
        });
      }
      const cursor = parseCursor(c.req.header("last-event-id"), query.after);
      // A stream that has begun can no longer answer 404.
      await gateway.getSession(caller, params.sessionId);
      return openEventStream(context, request, (signal) =>
        gateway.followSession(caller, params.sessionId, cursor, { signal }),
      );
    },
  });
}

function overviewEvents(context: ServerContext): Route {
  return defineRoute({
    method: "GET",
    path: "/api/events",
    operationId: "followOverview",
    summary: "All sessions: counts and first pages, then changes",
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
