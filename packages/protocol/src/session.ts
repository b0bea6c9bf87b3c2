import { z } from "zod";

import { attachmentsSchema } from "./attachment.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { saidSchema } from "./saying-schema.ts";

/**
 * The status of a session. `waiting`: an interaction holds the running turn. `parked`: nothing is running, messages
 * wait, and the answer to an interaction starts the agent again.
 */
export const sessionStatusSchema = z.enum(["idle", "running", "waiting", "parked"]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** A permission mode that a person has allowed for a limited time only, because it lets the agent do everything. */
export const limitedModeSchema = z.object({
  mode: z.string(),
  /** When the mode ends. */
  endsAt: instantSchema,
  /** The mode that follows. */
  into: z.string(),
});
export type LimitedMode = z.infer<typeof limitedModeSchema>;

/** A group, and the address of the issuer that defines its members. */
export const givenGroupSchema = z.object({
  group: z.string().min(1).max(256),
  issuer: z.string().min(1).max(256),
});
export type GivenGroup = z.infer<typeof givenGroupSchema>;
export const MAX_GIVEN_GROUPS = 16;

export const sessionSchema = z.object({
  sessionId: idSchema,
  agent: z.string(),
  /** The absolute path of the agent's working directory. */
  cwd: z.string(),
  title: z.string(),
  permissionMode: z.string(),
  /** Stays set while the agent is temporarily in another mode, such as for planning, and may return to this one. */
  limitedMode: limitedModeSchema.optional(),
  /** The model chosen by a person, as they wrote it. Absent: the agent chooses. */
  model: z.string().optional(),
  /** The model that the agent reports to be using. Absent: no report since the last choice. */
  activeModel: z.string().optional(),
  status: sessionStatusSchema,
  /** Set if an interaction is pending, whether or not it holds a turn. */
  hasPending: z.literal(true).optional(),
  /** Set if an interaction still takes an answer although no one is waiting for it. */
  hasLate: z.literal(true).optional(),
  /** Set if the last turn ended with an error, until the next one begins. */
  hasFailed: z.literal(true).optional(),
  /** When the last turn ended. Absent: none has ended. */
  lastEndedAt: instantSchema.optional(),
  /** When the agent's program ended, for example in a terminal. Removed when a new turn begins. */
  endedAt: instantSchema.optional(),
  /** The person who started it. Only this person, the groups below and owners can see it. Absent: everyone can. */
  belongsTo: z.object({ personId: idSchema, person: z.string() }).optional(),
  /** The groups that can also see it and work with it. */
  givenTo: z.array(givenGroupSchema).optional(),
  /** When a person archived it. Removed when a turn begins or a person restores it. */
  archivedAt: instantSchema.optional(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  lastSeq: z.int().min(0),
});
export type Session = z.infer<typeof sessionSchema>;

/** A message that is queued behind a running turn. It is added to the log when its turn starts. */
export const queuedMessageSchema = z.object({
  messageId: idSchema,
  /** The turn that it will start. */
  turnId: idSchema,
  content: z.string(),
  attachments: attachmentsSchema,
  origin: z.enum(["person", "late_response"]),
  queuedAt: instantSchema,
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

const permissionModeInfoSchema = z.object({
  mode: z.string(),
  label: z.string(),
  description: z.string().optional(),
  /** The mode that follows this one, which is limited in time because it lets the agent do everything. */
  endsInto: z.string().optional(),
});

export const agentInfoSchema = z.object({
  /** The value for `POST /api/sessions`. */
  agent: z.string(),
  label: z.string(),
  available: z.boolean(),
  /** Why it cannot be started, and how to fix it. */
  unavailableReason: z.string().optional(),
  /** The sayings of `unavailableReason`. */
  said: saidSchema.optional(),
  /** Whether it follows a script and uses no model. */
  scripted: z.boolean(),
  permissionModes: z.array(permissionModeInfoSchema).min(1),
  defaultPermissionMode: z.string(),
  /** The working directory of sessions that do not specify one. The gateway sets it for all of its agents. */
  defaultCwd: z.string().optional(),
  suggestedPrompts: z.array(z.string()),
  /** Set if a person can choose the model of its sessions (`listModels`). */
  hasModels: z.literal(true).optional(),
  /** Set if messages to it can begin with a command (`listCommands`). */
  hasCommands: z.literal(true).optional(),
  /** Set if messages to it can carry images and files (`uploadAttachment`). */
  takesAttachments: z.literal(true).optional(),
});
export type AgentInfo = z.infer<typeof agentInfoSchema>;
