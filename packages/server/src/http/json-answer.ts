import type { z } from "zod";

import type { RouteAnswer } from "./route.ts";

/** An answer with a JSON body of this schema. */
export function jsonAnswer(description: string, schema: z.ZodType): RouteAnswer {
  return { description, content: { "application/json": schema } };
}
