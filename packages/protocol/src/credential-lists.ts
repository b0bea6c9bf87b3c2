import { z } from "zod";

import { programScopeSchema } from "./http.ts";
import { idSchema, instantSchema } from "./primitives.ts";

/** What is known of each device and token. */
const issued = {
  label: z.string(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.optional(),
};

export const deviceListSchema = z.object({
  items: z.array(
    z.object({
      deviceId: idSchema,
      ...issued,
      /** The one that this request comes from. */
      current: z.boolean(),
    }),
  ),
});

export const agentTokenListSchema = z.object({
  items: z.array(
    z.object({
      tokenId: idSchema,
      ...issued,
      /** The one session that it belongs to. */
      sessionId: idSchema.optional(),
    }),
  ),
});

export const programTokenListSchema = z.object({
  items: z.array(
    z.object({
      tokenId: idSchema,
      ...issued,
      scope: programScopeSchema,
      expiresAt: instantSchema,
    }),
  ),
});
