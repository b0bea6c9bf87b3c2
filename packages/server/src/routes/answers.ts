import type { RespondResult } from "@holdpoint/protocol";
import type { Context } from "hono";
import type { z } from "zod";

import { problemResponse } from "../http/problem-response.ts";
import type { RouteAnswer } from "../http/route.ts";

/** An answer with a JSON body of this schema. */
export function jsonAnswer(description: string, schema: z.ZodType): RouteAnswer {
  return { description, content: { "application/json": schema } };
}

/** The answer to a response, whichever route it came by. */
export function toRespondAnswer(c: Context, result: RespondResult): Response {
  return result.status === "accepted"
    ? c.json({ interaction: result.interaction }, 200)
    : problemResponse(result.problem);
}
