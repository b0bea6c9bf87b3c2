import type { Socket } from "node:net";

import { agentTokenBodySchema, agentTokenSchema } from "@holdpoint/protocol";
import { z } from "zod";

/*
 * One connection carries one request and one answer, each a JSON text up to the end of its direction. Whoever reaches
 * the socket may be an agent: it gets a token that can ask, and nothing with which to answer. So a launch link is never
 * in an answer. It is shown where the gateway runs, to who sits there.
 */

export const controlRequestSchema = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("agent-token"), ...agentTokenBodySchema.shape }),
  z.strictObject({ command: z.literal("link") }),
]);
export type ControlRequest = z.infer<typeof controlRequestSchema>;

const linkShownSchema = z.strictObject({ shown: z.literal(true) });
export type LinkShown = z.infer<typeof linkShownSchema>;

/** What each request is answered with, unless it is refused. */
export const CONTROL_ANSWERS = { "agent-token": agentTokenSchema, link: linkShownSchema } as const;
export const controlRefusalSchema = z.strictObject({ error: z.string() });

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
