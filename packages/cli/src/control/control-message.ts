import type { Socket } from "node:net";

import { agentTokenBodySchema, agentTokenSchema } from "@holdpoint/protocol";
import { z } from "zod";

/*
 * One connection carries one request and one answer, each a JSON text up to the end of its direction. The only request
 * is for an agent's token: whoever reaches the socket may let an agent ask, and can answer nothing.
 */

export const controlRequestSchema = z.strictObject({
  command: z.literal("agent-token"),
  ...agentTokenBodySchema.shape,
});
export type ControlRequest = z.infer<typeof controlRequestSchema>;

export const controlAnswerSchema = z.union([agentTokenSchema, z.object({ error: z.string() })]);
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;

const MAX_BYTES = 16 * 1024;
const IDLE_MS = 10_000;

/** The other side's whole message. Rejects when it is no JSON, is too long, or does not come. */
export async function readMessage(socket: Socket): Promise<unknown> {
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error("The other side is silent.")));
  // At its end the other direction is still needed.
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  let message = "";
  for await (const chunk of chunks) {
    message += chunk.toString("latin1");
    if (message.length > MAX_BYTES) throw new Error("A message is too long.");
  }
  return JSON.parse(Buffer.from(message, "latin1").toString("utf8"));
}
