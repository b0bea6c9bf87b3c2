import { z } from "zod";

import { eventSchema } from "./event.ts";
import { interactionSchema, interactionStatusSchema } from "./interaction.ts";
import { ATTACHMENT_LIMITS, MAX_MODE_MINUTES } from "./limits.ts";
import { idempotencyKeySchema, idSchema, instantSchema } from "./primitives.ts";
import {
  agentInfoSchema,
  givenGroupSchema,
  MAX_GIVEN_GROUPS,
  queuedMessageSchema,
  sessionSchema,
} from "./session.ts";

/** Whether a message has text or attachments. */
export function saysSomething({
  content,
  attachments = [],
}: {
  readonly content: string;
  readonly attachments?: readonly string[] | undefined;
}): boolean {
  return content.trim() !== "" || attachments.length > 0;
}

const titleSchema = z.string().trim().min(1).max(200);
const permissionModeSchema = z.string().min(1).max(64);
/** How long a mode with `endsInto` lasts. Default: one hour. */
const permissionModeMinutesSchema = z.int().min(1).max(MAX_MODE_MINUTES);
const modelSchema = z.string().min(1).max(128);

export const createSessionBodySchema = z.strictObject({
  agent: z.string().min(1).max(64),
  /** Default: the working directory of the gateway. */
  cwd: z.string().min(1).max(4096).optional(),
  title: titleSchema.optional(),
  permissionMode: permissionModeSchema.optional(),
  permissionModeMinutes: permissionModeMinutesSchema.optional(),
  model: modelSchema.optional(),
});
export type CreateSessionBody = z.infer<typeof createSessionBodySchema>;

export const updateSessionBodySchema = z.strictObject({
  title: titleSchema.optional(),
  permissionMode: permissionModeSchema.optional(),
  permissionModeMinutes: permissionModeMinutesSchema.optional(),
  /** Ends this limited mode early. Does nothing if it is no longer active: a mode chosen since then stays. */
  endPermissionMode: permissionModeSchema.optional(),
  model: modelSchema.optional(),
  /** Archives the session or restores it. A session that is working or parked cannot be archived. */
  archived: z.boolean().optional(),
});
export type UpdateSessionBody = z.infer<typeof updateSessionBodySchema>;

const sendMessageShape = {
  content: z.string().max(131_072),
  /** Ids of files uploaded to the session by `uploadAttachment`. With attachments, `content` may be empty. */
  attachments: z.array(idSchema).min(1).max(ATTACHMENT_LIMITS.perMessage).optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
  /** Queue the message if a turn is running, instead of refusing it with `TURN_RUNNING`. */
  queue: z.boolean().optional(),
};
export const sendMessageBodySchema = z.strictObject(sendMessageShape).refine(saysSomething, {
  path: ["content"],
  message: "A message needs some text or a file.",
});
export type SendMessageBody = z.infer<typeof sendMessageBodySchema>;

export const sentMessageSchema = z.object({
  turnId: idSchema,
  messageId: idSchema,
  /** Whether the message is queued behind a running turn. */
  queued: z.boolean(),
});
export type SentMessage = z.infer<typeof sentMessageSchema>;

export const eventPageQuerySchema = z
  .object({
    after: z.coerce.number<number>().int().min(0).optional(),
    before: z.coerce.number<number>().int().min(1).optional(),
    limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
  })
  .refine((query) => query.after === undefined || query.before === undefined, {
    message: "Give `after` or `before`, not both.",
  });

export const interactionListQuerySchema = z.object({
  /** Comma-separated statuses. Default: `pending`. */
  status: z
    .string()
    .default("pending")
    .transform((text) => text.split(","))
    .pipe(z.array(interactionStatusSchema).min(1)),
  sessionId: idSchema.optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
});

export const listQuerySchema = z.object({
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

export const sessionListQuerySchema = listQuerySchema.extend({
  /** `no`: only sessions that are not archived (the default). `only`: only archived ones. */
  archived: z.enum(["no", "only"]).optional(),
  /** Only sessions whose title or directory contains all of these words, in any letter case. */
  words: z.string().max(200).optional(),
});
export type SessionListQuery = z.infer<typeof sessionListQuerySchema>;

export const groupListSchema = z.object({ items: z.array(givenGroupSchema) });
export const giveSessionBodySchema = z.strictObject({
  groups: z.array(givenGroupSchema).max(MAX_GIVEN_GROUPS),
});
export type GiveSessionBody = z.infer<typeof giveSessionBodySchema>;

const nextCursor = { nextCursor: z.string().optional() };
export const sessionListSchema = z.object({ items: z.array(sessionSchema), ...nextCursor });
export const interactionListSchema = z.object({ items: z.array(interactionSchema), ...nextCursor });
/** Events, oldest first. With `before`: the newest before it. `nextCursor` is absent at the end of that direction. */
export const eventPageSchema = z.object({
  items: z.array(eventSchema),
  ...nextCursor,
  /** The history of these events, which is part of the cursor for resuming a stream. */
  epoch: z.string().optional(),
});
export const agentListSchema = z.object({ items: z.array(agentInfoSchema) });
export const queueSchema = z.object({ items: z.array(queuedMessageSchema) });
export type SessionList = z.infer<typeof sessionListSchema>;
export type InteractionList = z.infer<typeof interactionListSchema>;
export type EventPage = z.infer<typeof eventPageSchema>;

/** Body of status 200 for a response: it won, or the same idempotency key won earlier. */
export const respondResultSchema = z.object({ interaction: interactionSchema });

const toolCall = { toolCallId: idSchema };
/** Bodies of `respond` by tool call, in the terms of the source documents. */
export const submitAnswersBodySchema = z.strictObject({
  ...toolCall,
  /** Keys: a question's id, index or text. Values: a label, several labels (or their JSON), or free text. */
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});
export const approveBodySchema = z.strictObject({
  ...toolCall,
  /** The digest of the approval as it was shown. */
  digest: z.string().max(128),
});
export const denyBodySchema = z.strictObject({
  ...toolCall,
  reason: z.string().max(16_384).optional(),
});
export type SubmitAnswersBody = z.infer<typeof submitAnswersBodySchema>;
export type ApproveBody = z.infer<typeof approveBodySchema>;
export type DenyBody = z.infer<typeof denyBodySchema>;

export const interactionModeBodySchema = z.strictObject({ enabled: z.boolean() });

const base64UrlSchema = z.string().regex(/^[\w-]+$/);

/** Body for asking the gateway to prove its identity, before anything else is sent. */
export const gatewayHelloBodySchema = z.strictObject({
  /** Random bytes from the page, used only once. */
  challenge: base64UrlSchema.min(22).max(86),
  origin: z.string().max(300),
});
/** The gateway's signed statement: see `toStatementText`. */
export const gatewayHelloSchema = z.object({
  publicKey: z.object({ x: base64UrlSchema, y: base64UrlSchema }),
  /** ECDSA with P-256 and SHA-256: two numbers of 32 bytes each. */
  signature: base64UrlSchema,
  protocolVersion: z.int(),
  /** The nonce for the proofs of the device's next requests. */
  nonce: base64UrlSchema,
});
export type GatewayHello = z.infer<typeof gatewayHelloSchema>;

export const exchangeCodeBodySchema = z.strictObject({
  code: z.string().min(1).max(256),
  /** The device's name for itself. */
  label: z.string().min(1).max(100).optional(),
});
export const exchangedCodeSchema = z.object({
  token: z.string(),
  tokenId: idSchema,
  person: z.string(),
});

/** Body for creating a token for an agent that the gateway does not start, and that calls its tools over MCP. */
export const agentTokenBodySchema = z.strictObject({
  /** The name of the agent, used as the title of its session. */
  label: z.string().trim().min(1).max(100),
});
export const createdAgentTokenSchema = z.object({
  token: z.string(),
  tokenId: idSchema,
  /** The agent's session, which shows the interactions of its calls. */
  sessionId: idSchema,
});
export type CreatedAgentToken = z.infer<typeof createdAgentTokenSchema>;
export const agentTokenSchema = createdAgentTokenSchema.extend({
  /** The address for the agent's MCP client. */
  url: z.string(),
});
export type AgentToken = z.infer<typeof agentTokenSchema>;

export const renameDeviceBodySchema = z.strictObject({
  label: z.string().trim().min(1).max(100),
});

export const pairingSchema = z.object({
  /** A code in groups, such as `3KA-XW7-PCT`. Letter case and hyphens do not matter when it is typed. */
  code: z.string(),
  expiresAt: instantSchema,
});

/** The rights of a program. `respond`: everything that a person may do except creating tokens. `read`: only reads. */
export const programScopeSchema = z.enum(["respond", "read"]);
export type ProgramScope = z.infer<typeof programScopeSchema>;

export const programTokenBodySchema = z.strictObject({
  /** The name of the program, shown with its answers. */
  label: z.string().trim().min(1).max(100),
  scope: programScopeSchema,
  expiresInDays: z.int().min(1).max(366),
});
export type ProgramTokenBody = z.infer<typeof programTokenBodySchema>;
export const programTokenSchema = z.object({
  token: z.string(),
  tokenId: idSchema,
  expiresAt: instantSchema,
});
export type ProgramToken = z.infer<typeof programTokenSchema>;

/** One of several nodes is working, and the others forward requests to it. Absent for a single node. */
const nodeRoleSchema = z.enum(["working", "standby"]).exactOptional();
/** Health and readiness can be read by anyone, so they contain nothing else. */
export const healthSchema = z.object({
  status: z.enum(["ok", "draining"]),
  role: nodeRoleSchema,
});
export const readinessSchema = z.object({
  status: z.enum(["ready", "draining", "store_unavailable", "connections_full", "no_working_node"]),
  role: nodeRoleSchema,
});
