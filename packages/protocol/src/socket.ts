import { z } from "zod";

import { eventSchema } from "./event.ts";
import { ephemeralFrameSchema, overviewFrameSchema } from "./frame.ts";
import {
  approveBodySchema,
  createSessionBodySchema,
  denyBodySchema,
  eventPageQuerySchema,
  interactionListQuerySchema,
  interactionModeBodySchema,
  listQuerySchema,
  sendMessageBodySchema,
  submitAnswersBodySchema,
  updateSessionBodySchema,
} from "./http.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { problemSchema } from "./problem.ts";
import { respondBodySchema } from "./response.ts";

/*
 * A connection begins with `hello`, which the gateway answers with `welcome`. After that every frame of a client may
 * carry a `requestId`, and then gets exactly one `result` or `error` with it.
 */

const asked = { requestId: idSchema.optional() };
/** A client that follows one session more than once tells its subscriptions apart by ids of its own. */
const subscription = { ...asked, subscriptionId: idSchema.optional() };

export const helloFrameSchema = z.strictObject({
  type: z.literal("hello"),
  /** A person's bearer token. */
  token: z.string().optional(),
  clientId: z.string().regex(/^[!-~]{1,128}$/, "1 to 128 visible ASCII characters."),
  /** Whether the client can show what asks, and whether it may answer now. Absent: as the gateway remembers. */
  interaction: z.strictObject({ supported: z.boolean(), enabled: z.boolean() }).optional(),
});
export type HelloFrame = z.infer<typeof helloFrameSchema>;

const session = z.strictObject({ sessionId: idSchema });
const interaction = z.strictObject({ interactionId: idSchema });
const queued = z.strictObject({ sessionId: idSchema, messageId: idSchema });
const nothing = z.strictObject({}).optional();

function request<TMethod extends string, TParams extends z.ZodType>(
  method: TMethod,
  params: TParams,
) {
  return z.strictObject({
    type: z.literal("request"),
    requestId: idSchema,
    method: z.literal(method),
    params,
  });
}

/** Every command of the HTTP routes, with the same bodies and queries, and results that are their answers' bodies. */
export const requestFrameSchema = z.discriminatedUnion("method", [
  request("listAgents", nothing),
  request("createSession", z.strictObject({ body: createSessionBodySchema })),
  request("listSessions", z.strictObject({ query: listQuerySchema })),
  request("getSession", session),
  request("updateSession", session.extend({ body: updateSessionBodySchema })),
  request("deleteSession", session),
  request("sendMessage", session.extend({ body: sendMessageBodySchema })),
  request("listQueue", session),
  request("removeQueuedMessage", queued),
  request("stopTurn", session),
  request("readEvents", session.extend({ query: eventPageQuerySchema })),
  request("listInteractions", z.strictObject({ query: interactionListQuerySchema })),
  request("getInteraction", interaction),
  request("respond", interaction.extend({ body: respondBodySchema })),
  request("submitAnswers", session.extend({ body: submitAnswersBodySchema })),
  request("approveTool", session.extend({ body: approveBodySchema })),
  request("denyTool", session.extend({ body: denyBodySchema })),
  request("listGrants", z.strictObject({ query: listQuerySchema })),
  request("revokeGrant", z.strictObject({ grantId: idSchema })),
  request("setInteractionMode", z.strictObject({ body: interactionModeBodySchema })),
]);
export type RequestFrame = z.infer<typeof requestFrameSchema>;
export type SocketMethod = RequestFrame["method"];

/** Any frame of a client after `hello`. */
export const clientFrameSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("subscribe"),
    ...subscription,
    sessionId: idSchema,
    /** The last event that the client has. */
    after: z.int().min(0).optional(),
    /** The history that `after` belongs to. */
    epoch: z.string().max(256).optional(),
  }),
  z.strictObject({ type: z.literal("unsubscribe"), ...subscription, sessionId: idSchema }),
  z.strictObject({ type: z.literal("subscribe_overview"), ...subscription }),
  z.strictObject({ type: z.literal("unsubscribe_overview"), ...subscription }),
  z.strictObject({
    type: z.literal("user_message"),
    ...asked,
    sessionId: idSchema,
    ...sendMessageBodySchema.shape,
  }),
  z.strictObject({ type: z.literal("stop"), ...asked, sessionId: idSchema }),
  z.strictObject({
    type: z.literal("tool_interaction_response"),
    ...asked,
    sessionId: idSchema,
    /** The tool call that asked, under either name; compared when it is there. */
    toolCallId: idSchema.optional(),
    callId: idSchema.optional(),
    interactionId: idSchema,
    ...respondBodySchema.shape,
  }),
  z.strictObject({
    type: z.literal("ask_user_response"),
    ...asked,
    conversation_id: idSchema,
    tool_call_id: idSchema,
    answers: submitAnswersBodySchema.shape.answers,
  }),
  z.strictObject({
    type: z.literal("set_interaction_mode"),
    ...asked,
    ...interactionModeBodySchema.shape,
  }),
  z.strictObject({ type: z.literal("ping"), ...asked }),
  requestFrameSchema,
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

const followed = { sessionId: idSchema, subscriptionId: idSchema.optional() };

export const serverFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    /** Identity of the gateway's history; part of every cursor. */
    epoch: z.string(),
    protocolVersion: z.int(),
  }),
  /** A durable event of a followed session. */
  z.object({ type: z.literal("chat_event"), ...followed, event: eventSchema }),
  /** Any other frame of a followed session; after `closing` the subscription is over. */
  z.object({ type: z.literal("chat_frame"), ...followed, frame: ephemeralFrameSchema }),
  z.object({
    type: z.literal("overview_frame"),
    subscriptionId: idSchema.optional(),
    frame: overviewFrameSchema,
  }),
  z.object({
    type: z.literal("result"),
    requestId: idSchema,
    /** Absent where the HTTP route answers without a body. */
    value: z.unknown().optional(),
  }),
  z.object({
    type: z.literal("error"),
    /** The request that was refused. */
    requestId: idSchema.optional(),
    /** The subscription that broke: its own id, else that of its session. */
    subscriptionId: idSchema.optional(),
    code: problemSchema.shape.code,
    message: z.string(),
    problem: problemSchema,
  }),
  /** A sign of life: by itself, and to a `ping` without a `requestId`. */
  z.object({ type: z.literal("ping"), at: instantSchema }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;
