import { z } from "zod";

import { ERROR_CODES, type ErrorCode } from "./error-code.ts";
import { responseSchema, responderSchema } from "./response.ts";
import { saidSchema } from "./saying-schema.ts";

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** The winning response of an interaction and its responder, contained in `ALREADY_ANSWERED`. */
export const winnerSchema = responseSchema.extend({ by: responderSchema });

/** An RFC 9457 problem document with an additional `code`. Served as `application/problem+json`. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z.enum(codes),
  detail: z.string(),
  retryable: z.boolean(),
  /** The errors by field path, with `INVALID_RESPONSE` and `INVALID_REQUEST`. */
  fieldErrors: z.record(z.string(), z.string()).optional(),
  winner: winnerSchema.optional(),
  retryAfterMs: z.int().optional(),
  /** The sayings of `detail`. They also apply to a field error with the same text. */
  said: saidSchema.optional(),
});
export type Problem = z.infer<typeof problemSchema>;
