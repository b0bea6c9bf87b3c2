import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema } from "./response.ts";

/** A remembered approval. A tool call that it covers runs without asking, and an event says so. */
export const grantSchema = z.object({
  grantId: idSchema,
  /** `once`: left by a late approval, for exactly the input that was approved. */
  scope: approvalScopeSchema,
  toolName: z.string(),
  /** What it covers, in plain words; the same that the person saw. The tool's own words: shown as plain text. */
  text: z.string(),
  /** With `once` and `session`: the only session that it holds in, and that it ends with. */
  sessionId: idSchema.optional(),
  /** The agent whose calls it covers. */
  agent: z.string().optional(),
  /** Where the approved call would run. */
  cwd: z.string().optional(),
  createdAt: instantSchema,
  /** Absent: with the session. */
  expiresAt: instantSchema.optional(),
  lastUsedAt: instantSchema.optional(),
  /** Who approved, and when. */
  by: responderSchema,
  /** The approval that made it. */
  interactionId: idSchema,
});
export type Grant = z.infer<typeof grantSchema>;

/** Newest first. */
export const grantListSchema = z.object({
  items: z.array(grantSchema),
  nextCursor: z.string().optional(),
});
export type GrantList = z.infer<typeof grantListSchema>;
