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

/** Errors of an agent or its turn. */
export const agentErrorCodeSchema = z.enum([
  /** The key is missing or invalid, or the login has expired. */
  "AGENT_UNAUTHENTICATED",
  "AGENT_OVERLOADED",
  "AGENT_RATE_LIMITED",
  /** The model's service cannot be reached. */
  "AGENT_UNREACHABLE",
  /** The agent's process ended unexpectedly or could not be started. */
  "AGENT_CRASHED",
  /** The agent's program is not installed on this machine. */
  "AGENT_NOT_INSTALLED",
  /** The session's working directory does not exist. */
  "AGENT_CWD_GONE",
  /** The conversation is too long for the model. */
  "AGENT_CONTEXT_FULL",
  /** The account has no credit. */
  "AGENT_NO_CREDIT",
  /** The agent runs under an agent host of another version of this program, which is no longer compatible. */
  "AGENT_OTHER_VERSION",
  /** The agent's record of the conversation is gone or was changed, so it cannot continue where it was. */
  "AGENT_CANNOT_RESUME",
  /** An MCP server of the agent asked for something that cannot be shown to anyone. The request was declined. */
  "SERVER_REQUEST_DECLINED",
  /** The gateway was restarted while the agent was working. */
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
  /** How often the interaction had been reopened before this event. Absent: never. */
  reopenings: z.int().min(1).optional(),
};

/** Any durable event of a session's log. */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    ...envelope,
    type: z.literal("user_message"),
    messageId: idSchema,
    content: z.string(),
    attachments: attachmentsSchema,
    origin: z.enum(["person", "late_response"]),
    /** The person who sent it. Absent without a sign-in at an issuer. */
    personId: idSchema.optional(),
    /** With `late_response`: the answered interaction. */
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
    /** The id from the preceding `text_delta` frames. */
    messageId: idSchema,
    text: z.string(),
    /** `thinking`: the model's notes to itself. */
    channel: z.enum(["text", "thinking"]),
    /** The tool call that started the sub-agent which wrote this. */
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
    /** The pictures in the result. They are read like the files of a message. */
    attachments: attachmentsSchema,
    /** The agent itself refused the call, by a rule or its mode, so it did not run. */
    refused: z.literal(true).optional(),
  }),
  z.object({ ...envelope, type: z.literal("interaction_request"), interaction: interactionSchema }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_response"),
    ...responseSchema.shape,
    by: responderSchema,
    undoUntil: instantSchema.optional(),
    /** People whose votes are dropped, because they may no longer give them. */
    uncounted: z.array(idSchema).optional(),
  }),
  /** One of several required people has approved. The agent is not notified. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_vote"),
    by: responderSchema,
    /** The digest of the request as the person saw it. */
    digest: z.string(),
    /** The interaction's `votesGiven` after this event. */
    votesGiven: z.int().min(1),
    /** People whose earlier votes are dropped, because they may no longer give them. */
    uncounted: z.array(idSchema).optional(),
  }),
  /** A note was added, which is not an answer. The agent is not notified. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_note"),
    by: responderSchema,
    note: noteSchema,
    /** The number of notes on the interaction after this event. */
    notesGiven: z.int().min(1),
  }),
  /** A person took the response back before the agent got it. */
  z.object({
    ...envelope,
    type: z.literal("interaction_reopened"),
    interactionId: idSchema,
    /** The status before the response. */
    status: z.enum(ANSWERABLE_STATUSES),
    /** The interaction's `reopenings` after this event. */
    reopenings: z.int().min(1),
    by: responderSchema,
  }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_closed"),
    status: z.enum(CLOSED_STATUSES),
    reason: z.string(),
  }),
  /** Keeps the status but removes the deadline. `held`: the agent was started again, and has asked again. */
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_hold_changed"),
    hold: z.enum(HOLDS),
    /** The interaction's `holdChanges` after this event. Absent: 1. */
    holdChanges: z.int().min(1).optional(),
  }),
  z.object({
    ...ofInteraction,
    type: z.literal("interaction_delivered"),
    how: deliverySchema,
    /** Why the receiver could not handle the response. For people; reveals nothing about the response. */
    failure: z.string().optional(),
  }),
  /** The agent also asked elsewhere, was allowed there at the same moment, and so ran a call that was denied here. */
  z.object({ ...ofInteraction, type: z.literal("interaction_overruled") }),
  z.object({ ...envelope, type: z.literal("grant_added"), grant: grantSchema }),
  z.object({
    ...envelope,
    type: z.literal("grant_revoked"),
    grantId: idSchema,
    by: responderSchema,
  }),
  /** A tool call ran without asking because this grant allows it, or a rule decided about it. */
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
    /** With `permissionMode`: the session's new `limitedMode`. Absent: it has none. */
    limitedMode: limitedModeSchema.optional(),
    /** The limited mode whose time was over. No one changed the mode. */
    endedMode: z.string().optional(),
    /** The model chosen by a person. The model in use is unknown after this event. */
    model: z.string().optional(),
    /** A person archived the session or restored it. A new turn also restores it, without this event. */
    archived: z.boolean().optional(),
    /** The program that the agent runs in has ended. A new turn undoes that, without this event. */
    ended: z.literal(true).optional(),
    /** The model that the agent reports to be using. */
    activeModel: z.string().optional(),
    /** The groups that can see the session after this event, as set by `by`. */
    givenTo: z.array(givenGroupSchema).optional(),
    by: responderSchema.optional(),
  }),
  z.object({
    ...envelope,
    type: z.literal("error"),
    code: agentErrorCodeSchema,
    message: z.string(),
    /** When a rate limit of the model's service ends. */
    retryAt: instantSchema.optional(),
  }),
]);
export type SessionEvent = z.infer<typeof eventSchema>;
export type SessionEventType = SessionEvent["type"];

export type EventOf<TType extends SessionEventType> = Extract<SessionEvent, { type: TType }>;

type WithoutSeq<TEvent> = TEvent extends unknown ? Omit<TEvent, "seq"> : never;
/** An event before the store assigns its position in the log. */
export type UnplacedEvent = WithoutSeq<SessionEvent>;
