import {
  detailsOf,
  type GatewayArguments,
  type History,
  historyEntrySchema,
} from "@holdpoint/protocol";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

import { describeError } from "../http/request-log.ts";
import { defineRoute, type Route, type RouteRequest } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { sendLines } from "../streams/line-stream.ts";
import { operationRoute } from "./operations.ts";

const JSON_LINES = "application/jsonl";
/** The maximum size of a page. */
const LINES_AT_ONCE = 200;

type Query = GatewayArguments<"listHistory">[0];

/** The history on one path: as a page (an operation), or complete as JSON lines for a file. */
export function historyRoutes(context: ServerContext): Route[] {
  const page = operationRoute(context, "listHistory");
  const { status, description } = detailsOf("listHistory").answer;
  const content = page.answers[status]?.content;
  return [
    defineRoute<unknown, unknown, unknown>({
      ...page,
      answers: {
        [status]: {
          description: `${description} As JSON Lines: everything after the cursor.`,
          content: { ...content, [JSON_LINES]: historyEntrySchema },
        },
      },
      handle: async (request) =>
        request.c.req.header("accept")?.includes(JSON_LINES)
          ? sendHistory(context, request)
          : page.handle(request),
    }),
  ];
}

/** Counts as a stream of the person, and ends with the credential. */
async function sendHistory(
  { gateway, clock, log, streams, streamLimits }: ServerContext,
  { c, caller, credential, query }: RouteRequest<unknown, unknown, unknown>,
): Promise<Response> {
  const { outgoing } = c.env;
  const read = (cursor?: string): Promise<History> =>
    gateway.listHistory(caller, {
      ...(query as Query),
      limit: LINES_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    });
  // The first page is read before the answer starts, because errors cannot be reported after that.
  const first = await read();
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  streams.run(credential, async (ended) => {
    try {
      await sendLines({
        outgoing,
        headers: {
          "Content-Type": `${JSON_LINES}; charset=utf-8`,
          "Content-Disposition": `attachment; filename="holdpoint-history-${day}.jsonl"`,
        },
        ended,
        clock,
        stallMs: streamLimits.stallMs,
        lines: linesFrom(first, read),
      });
    } catch (error) {
      log.error(describeError(error), "stream failed");
    }
  });
  return RESPONSE_ALREADY_SENT;
}

async function* linesFrom(
  first: History,
  read: (cursor: string) => Promise<History>,
): AsyncGenerator<string> {
  for (let page = first; ;) {
    yield page.items.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    if (page.nextCursor === undefined) return;
    page = await read(page.nextCursor);
  }
}
