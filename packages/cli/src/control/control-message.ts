import type { Socket } from "node:net";

import { agentTokenBodySchema, agentTokenSchema, toolSummarySchema } from "@holdpoint/protocol";
import { z } from "zod";

/*
 * One connection carries one request and one reply, each a JSON text that ends with its direction of the stream. An
 * agent may reach the socket, so the tokens issued here can only ask. A reply never contains a launch link or a code:
 * the gateway shows these in its own terminal.
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

/** A running gateway's description of itself. Must not contain secrets. */
export const gatewayStatusSchema = z.object({
  version: z.string(),
  pid: z.number(),
  url: z.string(),
  /** For one of several nodes. */
  node: z
    .object({
      role: z.enum(["working", "standby"]),
      /** The working node's address, as far as a standby node knows it. */
      working: z.string().optional(),
    })
    .optional(),
  /** The start by the wall clock, and the running time by the monotonic clock. */
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
  /** The files of the folder that the gateway was started in, if some are not loaded. */
  folder: z
    .object({
      path: z.string(),
      /** The number of new, changed and removed files that the open question is about. */
      waiting: z.number(),
      /** The gateway's own terminal asks as well as the page. */
      inTerminal: z.boolean(),
      /** Why nothing new of the folder can be loaded. */
      problem: z.string().optional(),
    })
    .optional(),
});
export type GatewayStatus = z.infer<typeof gatewayStatusSchema>;

/** The sessions that were, or would be, deleted. Without titles, since an agent may ask. */
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

const gatewayUrlSchema = z.strictObject({ url: z.string() });
export type GatewayUrl = z.infer<typeof gatewayUrlSchema>;

/** The schema of each request's answer, unless it is refused. */
export const CONTROL_ANSWERS = {
  "agent-token": agentTokenSchema,
  link: shownSchema,
  pair: shownSchema,
  prune: prunedSchema,
  status: gatewayStatusSchema,
  url: gatewayUrlSchema,
} as const;
/** `code` is the gateway's own error code, if it has one. */
export const controlRefusalSchema = z.strictObject({
  error: z.string(),
  code: z.string().optional(),
});
export type ControlRefusal = z.infer<typeof controlRefusalSchema>;

const MAX_REQUEST_BYTES = 16 * 1024;
export const MAX_ANSWER_BYTES = 1024 * 1024;
const IDLE_MS = 10_000;

/** Reads the peer's whole message. Rejects if it is not JSON, too long, or late. */
export async function readMessage(
  socket: Socket,
  maxBytes: number = MAX_REQUEST_BYTES,
): Promise<unknown> {
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error("No message came in time.")));
  // The socket stays open at the end of this direction, because the reply goes out on the other one.
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  let message = "";
  for await (const chunk of chunks) {
    message += chunk.toString("latin1");
    if (message.length > maxBytes) throw new Error("A message is too long.");
  }
  return JSON.parse(Buffer.from(message, "latin1").toString("utf8"));
}
