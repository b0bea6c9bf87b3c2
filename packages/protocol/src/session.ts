import { z } from "zod";

import { attachmentsSchema } from "./attachment.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { saidSchema } from "./said.ts";

/**
 * `waiting`: a turn runs and is held by an interaction. `parked`: nothing runs, and the answer to an interaction starts the
 * agent again; messages wait until then.
 */
export const sessionStatusSchema = z.enum(["idle", "running", "waiting", "parked"]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** A permission mode that a person has allowed for some time only, because it lets the agent do everything. */
export const limitedModeSchema = z.object({
  mode: z.string(),
  /** From then on it does not hold any more. */
  endsAt: instantSchema,
  /** The mode that holds after it. */
  into: z.string(),
});
export type LimitedMode = z.infer<typeof limitedModeSchema>;

/** A group, and the address of the issuer that says who is in it. */
export const givenGroupSchema = z.object({
  group: z.string().min(1).max(256),
  issuer: z.string().min(1).max(256),
});
export type GivenGroup = z.infer<typeof givenGroupSchema>;
export const MAX_GIVEN_GROUPS = 16;

export const sessionSchema = z.object({
  sessionId: idSchema,
  agent: z.string(),
  /** Absolute path that the agent works in. */
  cwd: z.string(),
  title: z.string(),
  permissionMode: z.string(),
  /** Also while the agent is in another mode for a moment, such as to plan, and may come back to this one. */
  limitedMode: limitedModeSchema.optional(),
  /** The model that a person has chosen, in their word for it. Absent: the agent's own choice. */
  model: z.string().optional(),
  /** The model that the agent has said it uses; absent: nothing since the last choice. */
  activeModel: z.string().optional(),
  status: sessionStatusSchema,
  /** An interaction of it is pending, whether or not a turn is held by it. */
  hasPending: z.literal(true).optional(),
  /** An interaction of it that nobody waits for any more still takes an answer. */
  hasLate: z.literal(true).optional(),
  /** Its last turn ended with an error, and none has begun since. */
  hasFailed: z.literal(true).optional(),
  /** When its last turn ended; absent: none has. */
  lastEndedAt: instantSchema.optional(),
  /** The program that its agent runs in has ended, as one in a terminal does; a turn that begins takes that back. */
  endedAt: instantSchema.optional(),
  /** Who has started it. Only this person, the groups below and owners see it. Absent: everybody does. */
  belongsTo: z.object({ personId: idSchema, person: z.string() }).optional(),
  /** The groups that see it as well, and work with it. */
  givenTo: z.array(givenGroupSchema).optional(),
  /** A person has put it away: it is listed among the archived ones until a turn begins in it or it is taken back. */
  archivedAt: instantSchema.optional(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  lastSeq: z.int().min(0),
});
export type Session = z.infer<typeof sessionSchema>;

/** A message in the queue of a session whose turn is running. It gets into the log when its turn starts. */
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
  /** It lets the agent do everything, so it holds for some time only, and then this mode does. */
  endsInto: z.string().optional(),
});

export const agentInfoSchema = z.object({
  /** The word that `POST /api/sessions` takes. */
  agent: z.string(),
  label: z.string(),
  available: z.boolean(),
  /** Why it cannot be started, and what to do about it. */
  unavailableReason: z.string().optional(),
  /** `unavailableReason`. */
  said: saidSchema.optional(),
  /** It follows a script and uses no model. */
  scripted: z.boolean(),
  permissionModes: z.array(permissionModeInfoSchema).min(1),
  defaultPermissionMode: z.string(),
  /** Where its sessions work for which no other directory is named. The gateway says it for all of its agents. */
  defaultCwd: z.string().optional(),
  suggestedPrompts: z.array(z.string()),
  /** A person can choose the model of its sessions (`listModels`). */
  hasModels: z.literal(true).optional(),
  /** Messages to it can begin with a command (`listCommands`). */
  hasCommands: z.literal(true).optional(),
  /** Messages to it can carry images and files (`uploadAttachment`). */
  takesAttachments: z.literal(true).optional(),
});
export type AgentInfo = z.infer<typeof agentInfoSchema>;
