import { z } from "zod";

import { attachmentsSchema } from "./attachment.ts";
import { commandRuleSchema, grantSchema } from "./grant.ts";
import { ANSWERABLE_STATUSES, CLOSED_STATUSES, HOLDS } from "./interaction-status.ts";
import { deliverySchema, interactionSchema } from "./interaction.ts";
import { noteSchema } from "./note.ts";
import { idSchema, instantSchema, jsonObjectSchema, seqSchema } from "./primitives.ts";
import { responderSchema, responseSchema } from "./response.ts";
import { givenGroupSchema, limitedModeSchema } from "./session.ts";
import { turnUsageSchema } from "./turn-usage.ts";

/** What went wrong with an agent or its turn. */
export const agentErrorCodeSchema = z.enum([
  /** Bad or missing key, expired login. */
  "AGENT_UNAUTHENTICATED",
  "AGENT_OVERLOADED",
  "AGENT_RATE_LIMITED",
  /** The model's service cannot be reached. */
  "AGENT_UNREACHABLE",
  /** The agent's process ended by itself or could not be started. */
  "AGENT_CRASHED",
  /** The agent's program is not on this machine. */
  "AGENT_NOT_INSTALLED",
  /** The session's working directory is not there. */
  "AGENT_CWD_GONE",
  /** The conversation is longer than the model can take. */
  "AGENT_CONTEXT_FULL",
  /** The account has no credit. */
  "AGENT_NO_CREDIT",
  /** It runs under a host of another version of this program, which cannot be talked to any more. */
  "AGENT_OTHER_VERSION",
  /** Its own record of the conversation is gone or was changed: it cannot be started again where it was. */
  "AGENT_CANNOT_RESUME",
  /** An MCP server of the agent's asked a person for something that nobody can be shown; it was told no. */
  "SERVER_REQUEST_DECLINED",
  /** The gateway was restarted while the agent worked. */
  "GATEWAY_RESTARTED",
  "AGENT_FAILED",
]);
export type AgentErrorCode = z.infer<typeof agentErrorCodeSchema>;

export const turnEndReasonSchema = z.enum(["done", "stopped", "error", "parked"]);
export type TurnEndReason = z.infer<typeof turnEndReasonSchema>;

const envelope = { seq: seqSchema, at: instantSchema, turnId: idSchema.optional() };

const ofInteraction = {
  ...envelope,
  interactionId: idSchema,
  /** How often its interaction had been reopened by then; absent: never. */
  reopenings: z.int().min(1).optional(),
};

/** Every durable event of a session's log. */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    ...envelope,
    type: z.literal("user_message"),
    messageId: idSchema,
    content: z.string(),
    attachments: attachmentsSchema,
    origin: z.enum(["person", "late_response"]),
    /** The person who sent it; absent for whom no issuer vouches. */
    personId: idSchema.optional(),
    /** With `late_response`: the interaction that it answers. */
    interactionId: idSchema.optional(),
  }),
  z.object({ ...envelope, type: z.literal("turn_started") }),
  z.object({
    ...envelope,
    type: z.literal("turn_ended"),
    reason: turnEndReasonSchema,
    usage: turnUsageSchema.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("assistant_message"),
    /** The same as in the `text_delta` frames that came before it. */
    messageId: idSchema,
    text: z.string(),
    /** `thinking`: the model's notes to itself. */
    channel: z.enum(["text", "thinking"]),
    /** The tool call that started the sub-agent which said this. */
    parentToolCallId: idSchema.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("tool_call"),
    toolCallId: idSchema,
    toolName: z.string(),
    input: jsonObjectSchema,
    parentToolCallId: idSchema.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("tool_result"),
    toolCallId: idSchema,
    content: z.string(),
    isError: z.boolean(),
    /** The agent refused the call by itself, by a rule or its mode: it has not run. */
    refused: z.literal(true).optional(),
  }),
  z.object({ ...envelope, type: z.literal("interaction_request"), interaction: interactionSchema }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_response"),
    ...responseSchema.shape,
    by: responderSchema,
    undoUntil: instantSchema.optional(),
    /** People whose votes count no more, because they could not give them now. */
    uncounted: z.array(idSchema).optional(),
  }),
  /** One of several people who have to say yes has said it. The agent hears nothing of it. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_vote"),
    by: responderSchema,
    /** Of what the person saw. */
    digest: z.string(),
    /** The interaction's own count after this. */
    votesGiven: z.int().min(1),
    /** People whose earlier votes count no more, because they could not give them now. */
    uncounted: z.array(idSchema).optional(),
  }),
  /** Something was added to it that is no answer. The agent hears nothing of it. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_note"),
    by: responderSchema,
    note: noteSchema,
    /** The interaction's own count after this. */
    notesGiven: z.int().min(1),
  }),
  /** A person has taken the response back before the agent got it. */
  z.object({
    ...envelope,
    type: z.literal("interaction_reopened"),
    interactionId: idSchema,
    /** As it was before the response. */
    status: z.enum(ANSWERABLE_STATUSES),
    /** The interaction's own count after this. */
    reopenings: z.int().min(1),
    by: responderSchema,
  }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_closed"),
    status: z.enum(CLOSED_STATUSES),
    reason: z.string(),
  }),
  /** Its status stays, but from now on it has no deadline. `held`: its agent was started again, and has asked again. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_hold_changed"),
    hold: z.enum(HOLDS),
    /** The interaction's own count after this; absent: 1. */
    holdChanges: z.int().min(1).optional(),
  }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_delivered"),
    how: deliverySchema,
    /** Why the receiver of the response could not handle it. For people; says nothing of the response. */
    failure: z.string().optional(),
  }),
  /** Its agent was asked elsewhere as well, was allowed there in the same moment, and has run what was denied here. */
  z.object({ ...ofInteraction, type: z.literal("interaction_overruled") }),
  z.object({ ...envelope, type: z.literal("grant_added"), grant: grantSchema }),
  z.object({
    ...envelope,
    type: z.literal("grant_revoked"),
    grantId: idSchema,
    by: responderSchema,
  }),
  /** A tool call that ran without asking, because this grant allows it; or what a rule has decided about it. */
  z.object({
    ...envelope,
    type: z.literal("grant_used"),
    grantId: idSchema,
    toolCallId: idSchema,
    toolName: z.string(),
    /** Absent: `allow`. */
    verdict: commandRuleSchema.shape.verdict.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("session_updated"),
    title: z.string().optional(),
    permissionMode: z.string().optional(),
    /** With `permissionMode`: the session's `limitedMode` from here on; absent: it has none. */
    limitedMode: limitedModeSchema.optional(),
    /** Nobody has changed the mode: the time of this one was over. */
    endedMode: z.string().optional(),
    /** A person has chosen it. What the agent uses is not known from here on. */
    model: z.string().optional(),
    /** A person has put the session away, or taken it back. A turn that begins takes it back without this. */
    archived: z.boolean().optional(),
    /** The program that its agent runs in has ended. A turn that begins takes that back without this. */
    ended: z.literal(true).optional(),
    /** The agent says that it uses this one. */
    activeModel: z.string().optional(),
    /** The groups that see the session from here on. `by` has said so. */
    givenTo: z.array(givenGroupSchema).optional(),
    by: responderSchema.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("error"),
    code: agentErrorCodeSchema,
    message: z.string(),
    /** When a limit of the model's service ends. */
    retryAt: instantSchema.optional(),
  }),
]);
export type SessionEvent = z.infer<typeof eventSchema>;
export type SessionEventType = SessionEvent["type"];

/** One member of the union. */
export type EventOf<TType extends SessionEventType> = Extract<SessionEvent, { type: TType }>;

type WithoutSeq<TEvent> = TEvent extends unknown ? Omit<TEvent, "seq"> : never;
/** An event before the store has given it its place in the log. */
export type UnplacedEvent = WithoutSeq<SessionEvent>;
