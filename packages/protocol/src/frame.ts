import { z } from "zod";

import { eventSchema } from "./event.ts";
import { interactionListSchema, sessionListSchema } from "./http.ts";
import { interactionSchema } from "./interaction.ts";
import { personSchema } from "./person.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { queuedMessageSchema, sessionSchema, sessionStatusSchema } from "./session.ts";

const pingSchema = z.object({ type: z.literal("ping"), at: instantSchema });

/** The last frame of a stream that the gateway ends; the client resumes by its cursor. */
const closingSchema = z.object({
  type: z.literal("closing"),
  reason: z.enum(["draining", "slow_client", "revoked", "credential_ended", "session_deleted"]),
});

/** The cursor is of another history: forget everything; what follows starts at the first event. */
const resetSchema = z.object({ type: z.literal("reset"), epoch: z.string() });

const presenceSchema = z.object({
  type: z.literal("presence"),
  clients: z.array(
    z.object({
      clientId: idSchema,
      /** As in `Person`: a client of another person may have the same id. */
      personId: idSchema.optional(),
      label: z.string(),
      interactionEnabled: z.boolean(),
    }),
  ),
  /** Whether anybody who is connected now may answer. */
  answerable: z.boolean(),
});

/** Frames of a session's stream that are not in its log. */
export const ephemeralFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text_delta"),
    turnId: idSchema,
    messageId: idSchema,
    channel: z.enum(["text", "thinking"]),
    /** Where in the message `text` belongs, in UTF-16 units: what one had from there on is replaced. */
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
    /** The agent's model does not answer, and the agent tries again by itself. */
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

/** Anything on a session's stream. */
export const sessionFrameSchema = z.union([eventSchema, ephemeralFrameSchema]);
export type SessionFrame = z.infer<typeof sessionFrameSchema>;

/** How many there are in all that the person may see, whatever a client has loaded. */
export const overviewCountsSchema = z.object({
  /** Pending interactions. */
  pending: z.int().min(0),
  /** Interactions whose time is over and that still take an answer, but for those that have left the overview by their age. */
  late: z.int().min(0),
  /** How many of the two are for others to answer. Absent: none. */
  forOthers: z.int().min(1).optional(),
  sessions: z.int().min(0),
  /** Sessions with an interaction that can be answered: pending, or late. */
  waitingSessions: z.int().min(0),
  /** Sessions in which a turn runs and nothing can be answered. */
  workingSessions: z.int().min(0),
});
export type OverviewCounts = z.infer<typeof overviewCountsSchema>;

/**
 * Frames of the stream over all sessions. It begins with a `snapshot` of bounded size, and before that with the `person`
 * whom an issuer has signed in; what follows changes it. Further
 * pages come from `listInteractions` and `listSessions`, which take the cursors of the snapshot's pages. A page is empty,
 * though its count is not, when its first row is too large: then read that list from its beginning.
 */
export const overviewFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    epoch: z.string(),
    counts: overviewCountsSchema,
    /** The newest activity first. Behind this page stand the sessions of the interactions below. */
    sessions: sessionListSchema,
    /** The oldest first: a page of status `pending`. */
    pending: interactionListSchema,
    /** The oldest first: those of a page of status `expired` and `orphaned` that still take an answer. */
    late: interactionListSchema,
  }),
  /** Whose stream it is. The gateway's owner gets none. */
  personSchema.extend({ type: z.literal("person") }),
  z.object({ type: z.literal("counts_changed"), counts: overviewCountsSchema }),
  z.object({ type: z.literal("session_changed"), session: sessionSchema }),
  z.object({ type: z.literal("session_deleted"), sessionId: idSchema }),
  z.object({ type: z.literal("interaction_changed"), interaction: interactionSchema }),
  /** It has been late for too long to be named here. It stays as it is in its session, where it can still be answered. */
  z.object({ type: z.literal("interaction_left"), interactionId: idSchema }),
  /** Grants were added, used or revoked: read them again. */
  z.object({ type: z.literal("grants_changed") }),
  /** A person has put something off, or taken that back: read it again. */
  z.object({ type: z.literal("snoozes_changed") }),
  presenceSchema,
  pingSchema,
  closingSchema,
]);
export type OverviewFrame = z.infer<typeof overviewFrameSchema>;
