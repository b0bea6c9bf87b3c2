import { z } from "zod";

import { ERROR_CODES, type ErrorCode } from "./error-code.ts";
import { responseSchema, responderSchema } from "./response.ts";
import { saidSchema } from "./said.ts";

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Who won an interaction, and with what: carried by `ALREADY_ANSWERED`. */
export const winnerSchema = responseSchema.extend({ by: responderSchema });

/** RFC 9457 problem document with our `code`; served as `application/problem+json`. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z.enum(codes),
  detail: z.string(),
  retryable: z.boolean(),
  /** Field path → what is wrong with it; with `INVALID_RESPONSE` and `INVALID_REQUEST`. */
  fieldErrors: z.record(z.string(), z.string()).optional(),
  winner: winnerSchema.optional(),
  retryAfterMs: z.int().optional(),
  /** `detail`; what stands under a field is the same where the text is. */
  said: saidSchema.optional(),
});
export type Problem = z.infer<typeof problemSchema>;
