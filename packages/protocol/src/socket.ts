import { z } from "zod";

import { eventSchema } from "./event.ts";
import { ephemeralFrameSchema, overviewFrameSchema } from "./frame.ts";
import {
  interactionModeBodySchema,
  sendMessageBodySchema,
  submitAnswersBodySchema,
} from "./http.ts";
import { inputSchemaOf } from "./operation-input.ts";
import type { OperationInput } from "./operation.ts";
import { OPERATION_NAMES, type OperationName } from "./operations.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { problemSchema } from "./problem.ts";
import { respondBodySchema } from "./response.ts";

/*
 * A connection begins with `hello`, which the gateway answers with `welcome`. Later frames of a client may carry a
 * `requestId`, and then get exactly one `result` or `error` with the same id.
 */

const asked = { requestId: idSchema.optional() };
/** A client that follows the same session more than once must give each subscription an id. */
const subscription = { ...asked, subscriptionId: idSchema.optional() };

export const helloFrameSchema = z.strictObject({
  type: z.literal("hello"),
  /** A person's token. */
  token: z.string().optional(),
  /** With a device's token: the proof of its key for `GET` and the URL of this socket, like over HTTP. */
  proof: z.string().optional(),
  clientId: z.string().regex(/^[!-~]{1,128}$/, "1 to 128 visible ASCII characters."),
  /** Whether the client can show interactions, and may answer now. Absent: as remembered by the gateway. */
  interaction: z.strictObject({ supported: z.boolean(), enabled: z.boolean() }).optional(),
});
export type HelloFrame = z.infer<typeof helloFrameSchema>;

type RequestSchema<TName extends OperationName> = z.ZodObject<
  {
    type: z.ZodLiteral<"request">;
    requestId: typeof idSchema;
    method: z.ZodLiteral<TName>;
    params: z.ZodType<OperationInput | undefined>;
  },
  z.core.$strict
>;
type AnyRequestSchema = { [TName in OperationName]: RequestSchema<TName> }[OperationName];

function requestSchemaOf(method: OperationName): AnyRequestSchema {
  return z.strictObject({
    type: z.literal("request"),
    requestId: idSchema,
    method: z.literal(method),
    params: inputSchemaOf(method),
  }) as AnyRequestSchema;
}

/** Calls any operation. `params`: its ids and its query or body. The result is the body of the HTTP response. */
export const requestFrameSchema = z.discriminatedUnion(
  "method",
  OPERATION_NAMES.map(requestSchemaOf) as [AnyRequestSchema, ...AnyRequestSchema[]],
);
export type RequestFrame = z.infer<typeof requestFrameSchema>;

/** Frames that call an operation in the terms of chat clients. */
export const FRAME_OPERATIONS = {
  user_message: "sendMessage",
  stop: "stopTurn",
  tool_interaction_response: "respond",
  ask_user_response: "submitAnswers",
  set_interaction_mode: "setInteractionMode",
} as const satisfies Readonly<Record<string, OperationName>>;

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
    /** The tool call of the interaction, under either name. If given, it must match. */
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
  /** Whether the connection's page is in view. A device that is in use needs no notification. */
  z.strictObject({ type: z.literal("visibility"), ...asked, visible: z.boolean() }),
  requestFrameSchema,
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

const followed = { sessionId: idSchema, subscriptionId: idSchema.optional() };

export const serverFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    /** The identity of the gateway's history, which is part of every cursor. */
    epoch: z.string(),
    protocolVersion: z.int(),
  }),
  /** A durable event of a followed session. */
  z.object({ type: z.literal("chat_event"), ...followed, event: eventSchema }),
  /** Any other frame of a followed session. The subscription ends after `closing`. */
  z.object({ type: z.literal("chat_frame"), ...followed, frame: ephemeralFrameSchema }),
  z.object({
    type: z.literal("overview_frame"),
    subscriptionId: idSchema.optional(),
    frame: overviewFrameSchema,
  }),
  z.object({
    type: z.literal("result"),
    requestId: idSchema,
    /** Absent if the HTTP route responds without a body. */
    value: z.unknown().optional(),
  }),
  z.object({
    type: z.literal("error"),
    /** The request that was refused. */
    requestId: idSchema.optional(),
    /** The id of the subscription that broke, or of its session if the subscription has none. */
    subscriptionId: idSchema.optional(),
    code: problemSchema.shape.code,
    message: z.string(),
    problem: problemSchema,
  }),
  /** A sign of life: sent regularly, and in response to a `ping` without a `requestId`. */
  z.object({ type: z.literal("ping"), at: instantSchema }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;
