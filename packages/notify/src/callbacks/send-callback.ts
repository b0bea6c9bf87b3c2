import type { Clock } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";

import { type SendResult, toSendResult } from "../deliveries/target.ts";
import type { Poster } from "../lib/post.ts";
import { signWebhook } from "../webhook/sign-webhook.ts";
import type { CallbackTarget } from "./callback-targets.ts";

interface SendCallbackParts {
  readonly clock: Pick<Clock, "now">;
  readonly poster: Poster;
  readonly signal: AbortSignal;
  /** The trace of the interaction, passed on to the receiver. */
  readonly traceparent?: string | undefined;
}

/** Sends the callback for a settled ask. Each try has the same id and body. Never rejects. */
export async function sendCallback(
  { clock, poster, signal, traceparent }: SendCallbackParts,
  { url, secret, mayConnect }: CallbackTarget,
  interaction: Interaction,
): Promise<SendResult> {
  const body = Buffer.from(JSON.stringify(toPayload(interaction)));
  const id = `${interaction.interactionId}.settled`;
  const signed = signWebhook({ id, atMs: clock.now(), body }, secret);
  const headers = {
    "content-type": "application/json",
    ...signed,
    ...(traceparent !== undefined && { traceparent }),
  };
  return toSendResult(await poster.post({ url, headers, body, mayConnect, signal }), url);
}

/** Builds a payload without answer and texts. The requester fetches them with its token, so no one else sees them. */
function toPayload(interaction: Interaction): object {
  const { interactionId, kind, status } = interaction;
  const isAnswered = status === "answered" || status === "delivered";
  const data = { interactionId, kind, status: isAnswered ? "answered" : status };
  return { type: "ask.settled", data };
}
