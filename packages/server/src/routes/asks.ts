import { type Ask, askFrameSchema, detailsOf, type GatewayArguments } from "@holdpoint/protocol";

import { goneSignal } from "../http/gone-signal.ts";
import { openEventStream } from "../http/open-event-stream.ts";
import { defineRoute, type Route, type RouteRequest } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { operationRoute } from "./operations.ts";

type AskRequest = RouteRequest<unknown, unknown, unknown>;

/**
 * The route of an ask, with three representations: its current state (an operation), its final state with `wait`, and a
 * stream.
 */
export function askRoutes(context: ServerContext): Route[] {
  const now = operationRoute(context, "getAsk");
  const { status, description } = detailsOf("getAsk").answer;
  const content = now.answers[status]?.content;
  return [
    defineRoute<unknown, unknown, unknown>({
      ...now,
      answers: {
        [status]: { description, content: { ...content, "text/event-stream": askFrameSchema } },
      },
      handle: (request) => {
        const { wait, comments } = request.query as GatewayArguments<"getAsk">[1];
        if (request.c.req.header("accept")?.includes("text/event-stream")) {
          return followAsk(context, request);
        }
        return wait === undefined
          ? now.handle(request)
          : waitForAsk(context, request, { waitMs: wait, comments });
      },
    }),
  ];
}

/** Counts as a waiting call, not as a stream of the person, whose streams are for pages. */
function followAsk(context: ServerContext, request: AskRequest): Response {
  const { gateway, mcp } = context;
  const { c, caller, credential } = request;
  const { personId: _, ...own } = credential;
  const counted = mcp.running.start(credential, 1);
  c.env.outgoing.once("close", () => counted[Symbol.dispose]());
  const ownStreams = { ...own, person: `agent ${credential.tokenId}` };
  return openEventStream(context, { c, caller, credential: ownStreams }, (signal) =>
    gateway.followAsk(caller, askIdOf(request), { signal }),
  );
}

/**
 * Answers with the ask once it is over, has more than `comments` comments, the time has passed, or the gateway is
 * stopping.
 */
async function waitForAsk(
  { gateway, mcp, clock }: ServerContext,
  request: AskRequest,
  {
    waitMs,
    comments = Infinity,
  }: { readonly waitMs: number; readonly comments?: number | undefined },
): Promise<Response> {
  const { c, caller, credential } = request;
  using _ = mcp.running.start(credential, 1);
  const over = new AbortController();
  using stack = new DisposableStack();
  stack.use(clock.after(waitMs, () => over.abort()));
  const signal = AbortSignal.any([over.signal, goneSignal(c)]);
  let ask: Ask | undefined;
  for await (const frames of gateway.followAsk(caller, askIdOf(request), { signal })) {
    for (const { json } of frames) ({ ask } = askFrameSchema.parse(JSON.parse(json)));
    if ((ask?.comments?.length ?? 0) > comments) break;
  }
  return c.json(ask, 200);
}

function askIdOf({ params }: AskRequest): string {
  return (params as { readonly interactionId: string }).interactionId;
}
