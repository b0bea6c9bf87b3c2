import { z } from "zod";

import { eventSchema } from "./event.ts";
import { interactionListSchema, sessionListSchema } from "./http.ts";
import { interactionSchema } from "./interaction.ts";
import { personSchema } from "./person.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { queuedMessageSchema, sessionSchema, sessionStatusSchema } from "./session.ts";

const pingSchema = z.object({ type: z.literal("ping"), at: instantSchema });

/** The last frame of a stream that the gateway ends. The client resumes with its cursor. */
const closingSchema = z.object({
  type: z.literal("closing"),
  reason: z.enum(["draining", "slow_client", "revoked", "credential_ended", "session_deleted"]),
});

/** The cursor belongs to another history. Discard everything: the following frames start at the first event. */
const resetSchema = z.object({ type: z.literal("reset"), epoch: z.string() });

const presenceSchema = z.object({
  type: z.literal("presence"),
  clients: z.array(
    z.object({
      clientId: idSchema,
      /** The person's id as in `Person`. Clients of different people may have the same `clientId`. */
      personId: idSchema.optional(),
      label: z.string(),
      interactionEnabled: z.boolean(),
    }),
  ),
  /** Whether any connected client may answer. */
  answerable: z.boolean(),
});

/** Frames of a session's stream that are not in its log. */
export const ephemeralFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text_delta"),
    turnId: idSchema,
    messageId: idSchema,
    channel: z.enum(["text", "thinking"]),
    /** The position of `text` in the message, in UTF-16 units. Replaces everything from there on. */
    offset: z.int().min(0),
    text: z.string(),
    parentToolCallId: idSchema.optional(),
  }),
  z.object({
    type: z.literal("tool_call_delta"),
    turnId: idSchema,
    toolCallId: idSchema,
    toolName: z.string(),
    offset: z.int().min(0),
    /** A piece of the input's JSON text. */
    text: z.string(),
  }),
  z.object({
    type: z.literal("session_status"),
    sessionId: idSchema,
    status: sessionStatusSchema,
    turnId: idSchema.optional(),
    /** The agent's model does not respond, and the agent is retrying on its own. */
    retrying: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("queue_changed"),
    sessionId: idSchema,
    messages: z.array(queuedMessageSchema),
  }),
  presenceSchema,
  pingSchema,
  resetSchema,
  closingSchema,
]);
export type EphemeralFrame = z.infer<typeof ephemeralFrameSchema>;

/** Any frame of a session's stream. */
export const sessionFrameSchema = z.union([eventSchema, ephemeralFrameSchema]);
export type SessionFrame = z.infer<typeof sessionFrameSchema>;

/** The numbers of sessions and interactions that the person may see, including ones that a client has not loaded. */
export const overviewCountsSchema = z.object({
  /** Pending interactions. */
  pending: z.int().min(0),
  /** Overdue interactions that still take an answer, except for ones that left the overview because of their age. */
  late: z.int().min(0),
  /** How many of the pending and late ones are for other people to answer. Absent: none. */
  forOthers: z.int().min(1).optional(),
  sessions: z.int().min(0),
  /** Sessions with an interaction that can be answered, pending or late. */
  waitingSessions: z.int().min(0),
  /** Sessions with a running turn and nothing to answer. */
  workingSessions: z.int().min(0),
});
export type OverviewCounts = z.infer<typeof overviewCountsSchema>;

/**
 * Frames of the stream over all sessions. The stream begins with the `person`, if an issuer has signed them in, then a
 * `snapshot` of bounded size; later frames change it. Further pages come from `listInteractions` and `listSessions`,
 * with the cursors of the snapshot's pages. A page is empty despite its count if its first row is too large: read that
 * list from the beginning.
 */
export const overviewFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    epoch: z.string(),
    counts: overviewCountsSchema,
    /** Newest activity first. This page is followed by the sessions of the interactions below. */
    sessions: sessionListSchema,
    /** A page of pending interactions, oldest first. */
    pending: interactionListSchema,
    /** From a page of `expired` and `orphaned` interactions, the ones that still take an answer, oldest first. */
    late: interactionListSchema,
  }),
  /** The person of the stream. Not sent to the gateway's owner. */
  personSchema.extend({ type: z.literal("person") }),
  z.object({ type: z.literal("counts_changed"), counts: overviewCountsSchema }),
  z.object({ type: z.literal("session_changed"), session: sessionSchema }),
  z.object({ type: z.literal("session_deleted"), sessionId: idSchema }),
  z.object({ type: z.literal("interaction_changed"), interaction: interactionSchema }),
  /** The interaction has been late for too long and leaves the overview. It can still be answered in its session. */
  z.object({ type: z.literal("interaction_left"), interactionId: idSchema }),
  /** Grants were added, used or revoked: read them again. */
  z.object({ type: z.literal("grants_changed") }),
  /** The person's snoozes have changed: read them again. */
  z.object({ type: z.literal("snoozes_changed") }),
  presenceSchema,
  pingSchema,
  closingSchema,
]);
export type OverviewFrame = z.infer<typeof overviewFrameSchema>;
