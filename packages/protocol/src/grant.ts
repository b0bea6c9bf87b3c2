import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema } from "./response.ts";
import { saidSchema } from "./said.ts";

/** A pattern over the words of a command: each word is exactly that one, and `*` is any one plain word. */
export const commandRuleSchema = z.object({
  /** Deny counts before ask, ask before allow, and all of them before other grants. */
  verdict: z.enum(["allow", "ask", "deny"]),
  pattern: z.string().trim().min(1).max(1024),
});
export type CommandRule = z.infer<typeof commandRuleSchema>;

/** A remembered approval. A tool call that it covers runs without asking, and an event says so. */
export const grantSchema = z.object({
  grantId: idSchema,
  /** `once`: left by a late approval, for exactly the input that was approved. */
  scope: approvalScopeSchema,
  toolName: z.string(),
  /** What it covers, in plain words; the same that the person saw. The tool's own words: shown as plain text. */
  text: z.string(),
  /** `text`. */
  said: saidSchema.optional(),
  /** With `once` and `session`: the only session that it holds in, and that it ends with. */
  sessionId: idSchema.optional(),
  /** The agent whose calls it covers. */
  agent: z.string().optional(),
  /** Where the approved call would run. */
  cwd: z.string().optional(),
  createdAt: instantSchema,
  /** Absent: with the session. */
  expiresAt: instantSchema.optional(),
  /** How many calls it still covers; absent: any number. */
  usesLeft: z.int().min(0).optional(),
  lastUsedAt: instantSchema.optional(),
  /** Who approved, and when. */
  by: responderSchema,
  /** The approval that made it. Absent: a rule, which a person has made. */
  interactionId: idSchema.optional(),
  /** It decides about every command that fits, in `cwd`. */
  rule: commandRuleSchema.optional(),
});
export type Grant = z.infer<typeof grantSchema>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A rule that nobody has made yet. */
export const ruleDraftSchema = z.strictObject({
  ...commandRuleSchema.shape,
  /** The only directory that it holds in. */
  cwd: z.string().min(1).max(4096),
});
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

export const createRuleBodySchema = z.strictObject({
  ...ruleDraftSchema.shape,
  /** How long it holds. Default: as long as an approval from now on. */
  forMs: z
    .int()
    .min(60_000)
    .max(365 * DAY_MS)
    .optional(),
});
export type CreateRuleBody = z.infer<typeof createRuleBodySchema>;

const loggedCommandSchema = z.object({
  command: z.string(),
  cwd: z.string(),
  /** How often it was called. */
  count: z.int(),
  lastAt: instantSchema,
  /** Why the rule does not cover it. */
  why: z.string().optional(),
  /** `why`. */
  said: saidSchema.optional(),
});
export type LoggedCommand = z.infer<typeof loggedCommandSchema>;

/** What a rule would have decided about, of the commands in the logs. */
export const rulePreviewSchema = z.object({
  /** What the rule says, in one line. */
  text: z.string(),
  /** Why it cannot be made. */
  problem: z.string().optional(),
  /** `text` and `problem`. */
  said: saidSchema.optional(),
  since: instantSchema,
  /** How many calls of commands were looked at. */
  calls: z.int(),
  /** There were more calls than are looked at; the newest were. */
  isPartial: z.boolean(),
  coveredCalls: z.int(),
  /** Newest first; some, if there are many. */
  covered: z.array(loggedCommandSchema),
  /** Those of the same program first. */
  notCovered: z.array(loggedCommandSchema),
});
export type RulePreview = z.infer<typeof rulePreviewSchema>;

/** Newest first. */
export const grantListSchema = z.object({
  items: z.array(grantSchema),
  nextCursor: z.string().optional(),
});
export type GrantList = z.infer<typeof grantListSchema>;
