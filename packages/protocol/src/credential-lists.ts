import { z } from "zod";

import { programScopeSchema } from "./http.ts";
import { idSchema, instantSchema } from "./primitives.ts";

/** The fields that devices and tokens have in common. */
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
      /** Whether this request comes from the device. */
      current: z.boolean(),
    }),
  ),
});

export const agentTokenListSchema = z.object({
  items: z.array(
    z.object({
      tokenId: idSchema,
      ...issued,
      /** The only session that the token belongs to. */
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
