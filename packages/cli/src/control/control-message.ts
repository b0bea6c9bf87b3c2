import type { Socket } from "node:net";

import { agentTokenBodySchema, agentTokenSchema, toolSummarySchema } from "@holdpoint/protocol";
import { z } from "zod";

/*
 * One connection carries one request and one reply, each a JSON text up to the end of its direction. An agent may reach
 * the socket, so it gives tokens that can only ask. A reply never has a launch link or a code: the gateway shows them in
 * its own terminal.
 */

export const controlRequestSchema = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("agent-token"), ...agentTokenBodySchema.shape }),
  z.strictObject({ command: z.literal("link") }),
  z.strictObject({
    command: z.literal("prune"),
    dryRun: z.boolean(),
    days: z.number().positive().optional(),
    megabytes: z.number().positive().optional(),
    cursor: z.string().max(1000).optional(),
  }),
  z.strictObject({ command: z.literal("pair") }),
  z.strictObject({ command: z.literal("status") }),
  z.strictObject({ command: z.literal("url") }),
]);
export type ControlRequest = z.infer<typeof controlRequestSchema>;
export type PruneRequest = Extract<ControlRequest, { command: "prune" }>;

const shownSchema = z.strictObject({ shown: z.literal(true) });
export type Shown = z.infer<typeof shownSchema>;

/** What a running gateway says of itself. Nothing in it is secret. */
export const gatewayStatusSchema = z.object({
  version: z.string(),
  pid: z.number(),
  url: z.string(),
  /** Of one of several nodes. */
  node: z
    .object({
      role: z.enum(["working", "standby"]),
      /** Where the working one is reached, as one that stands by knows it. */
      working: z.string().optional(),
    })
    .optional(),
  /** When it began, by the wall clock, and how long it has run, by the monotonic one. */
  startedAtMs: z.number(),
  runningMs: z.number(),
  agents: z.array(
    z.object({
      label: z.string(),
      available: z.boolean(),
      unavailableReason: z.string().optional(),
    }),
  ),
  tools: z.array(toolSummarySchema),
});
export type GatewayStatus = z.infer<typeof gatewayStatusSchema>;

/** What was deleted, or would be. No titles: an agent may ask. */
const prunedSchema = z.object({
  sessions: z
    .array(
      z.object({
        sessionId: z.string(),
        updatedAt: z.string(),
        bytes: z.number(),
        because: z.enum(["age", "size"]),
      }),
    )
    .readonly(),
  nextCursor: z.string().optional(),
});
export type PrunedSessions = z.infer<typeof prunedSchema>;

/** Where it listens. */
const gatewayUrlSchema = z.strictObject({ url: z.string() });
export type GatewayUrl = z.infer<typeof gatewayUrlSchema>;

/** What each request is answered with, unless it is refused. */
export const CONTROL_ANSWERS = {
  "agent-token": agentTokenSchema,
  link: shownSchema,
  pair: shownSchema,
  prune: prunedSchema,
  status: gatewayStatusSchema,
  url: gatewayUrlSchema,
} as const;
/** With the code of what the gateway itself has refused. */
export const controlRefusalSchema = z.strictObject({
  error: z.string(),
  code: z.string().optional(),
});
export type ControlRefusal = z.infer<typeof controlRefusalSchema>;

const MAX_REQUEST_BYTES = 16 * 1024;
export const MAX_ANSWER_BYTES = 1024 * 1024;
const IDLE_MS = 10_000;

/** The whole message of the peer. Rejects when it is not JSON, is too long, or does not come in time. */
export async function readMessage(
  socket: Socket,
  maxBytes: number = MAX_REQUEST_BYTES,
): Promise<unknown> {
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error("No message came in time.")));
  // When this direction has ended, the reply still has to go out on the other one.
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  let message = "";
  for await (const chunk of chunks) {
    message += chunk.toString("latin1");
    if (message.length > maxBytes) throw new Error("A message is too long.");
  }
  return JSON.parse(Buffer.from(message, "latin1").toString("utf8"));
}
