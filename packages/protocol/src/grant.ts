import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema } from "./response.ts";
import { saidSchema } from "./saying-schema.ts";

/** A pattern over the words of a command. Each word matches exactly; `*` matches any single plain word. */
export const commandRuleSchema = z.object({
  /** `deny` takes precedence over `ask`, `ask` over `allow`, and all three over other grants. */
  verdict: z.enum(["allow", "ask", "deny"]),
  pattern: z.string().trim().min(1).max(1024),
});
export type CommandRule = z.infer<typeof commandRuleSchema>;

/** A remembered approval. A tool call that it covers runs without asking, which an event records. */
export const grantSchema = z.object({
  grantId: idSchema,
  /** `once`: created by a late approval, for exactly the approved input. */
  scope: approvalScopeSchema,
  toolName: z.string(),
  /** A description of its coverage, the same that the person saw. Contains the tool's words: show it as plain text. */
  text: z.string(),
  /** The sayings of `text`. */
  said: saidSchema.optional(),
  /** With `once` and `session`: the only session where it is valid. It ends together with that session. */
  sessionId: idSchema.optional(),
  /** The agent whose calls it covers. */
  agent: z.string().optional(),
  /** The working directory of the approved call. */
  cwd: z.string().optional(),
  createdAt: instantSchema,
  /** Absent: it ends with the session. */
  expiresAt: instantSchema.optional(),
  /** How many more calls it covers. Absent: any number. */
  usesLeft: z.int().min(0).optional(),
  lastUsedAt: instantSchema.optional(),
  /** The person who approved, and when. */
  by: responderSchema,
  /** The approval that created it. Absent for a rule created by a person. */
  interactionId: idSchema.optional(),
  /** Decides about every matching command in `cwd`. */
  rule: commandRuleSchema.optional(),
});
export type Grant = z.infer<typeof grantSchema>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A rule that does not exist yet. */
export const ruleDraftSchema = z.strictObject({
  ...commandRuleSchema.shape,
  /** The only directory where the rule applies. */
  cwd: z.string().min(1).max(4096),
});
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

export const createRuleBodySchema = z.strictObject({
  ...ruleDraftSchema.shape,
  /** How long the rule is valid, in milliseconds. Default: as long as an approval given now. */
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
  /** The sayings of `why`. */
  said: saidSchema.optional(),
});
export type LoggedCommand = z.infer<typeof loggedCommandSchema>;

/** A preview of a rule: the logged commands that it would have decided about. */
export const rulePreviewSchema = z.object({
  /** A one-line description of the rule. */
  text: z.string(),
  /** Why the rule cannot be created. */
  problem: z.string().optional(),
  /** The sayings of `text` and `problem`. */
  said: saidSchema.optional(),
  since: instantSchema,
  /** How many command calls were examined. */
  calls: z.int(),
  /** Whether older calls were left out because there were too many. */
  isPartial: z.boolean(),
  coveredCalls: z.int(),
  /** Newest first. Incomplete if there are many. */
  covered: z.array(loggedCommandSchema),
  /** Commands of the same program first. */
  notCovered: z.array(loggedCommandSchema),
});
export type RulePreview = z.infer<typeof rulePreviewSchema>;

/** Grants, newest first. */
export const grantListSchema = z.object({
  items: z.array(grantSchema),
  nextCursor: z.string().optional(),
});
export type GrantList = z.infer<typeof grantListSchema>;
