import type { z } from "zod";

import type { RouteAnswer } from "./route.ts";

export function jsonAnswer(description: string, schema: z.ZodType): RouteAnswer {
  return { description, content: { "application/json": schema } };
}
