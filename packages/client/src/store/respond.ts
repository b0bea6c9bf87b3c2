import {
  ERROR_CODES,
  ProtocolError,
  type RespondBody,
  type RespondResult,
} from "@holdpoint/protocol";

import { randomBackoffMs } from "../lib/backoff.ts";
import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { ClientError } from "../transports/client-error.ts";
import type { Transport } from "../transports/transport.ts";

export interface SendResponseOptions {
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Default 4. */
  readonly maxTries?: number;
}

/**
 * Sends one response over an unreliable connection. All tries carry the same idempotency key (the body's, or a new
 * one), so the response counts once even if an acknowledgement is lost. Rejects with the last `ClientError` or
 * `ProtocolError` after
 * `maxTries`, at once with an error that a retry cannot fix, and with the signal's reason when aborted. The gateway may
 * have stored the response even if this rejects.
 */
export async function sendResponse(
  transport: Pick<Transport, "respond">,
  interactionId: string,
  body: RespondBody,
  options: SendResponseOptions = {},
): Promise<RespondResult> {
  const { clock = createBrowserClock(), randomness = createBrowserRandomness() } = options;
  const { maxTries = 4, signal = new AbortController().signal } = options;
  const keyed = { ...body, idempotencyKey: body.idempotencyKey ?? randomness.key() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await transport.respond(interactionId, keyed, { signal });
    } catch (error: unknown) {
      if (tries >= maxTries || !isPassing(error)) throw error;
      await clock.sleep(Math.max(retryAfterMs(error), randomBackoffMs(tries, randomness)), {
        signal,
      });
    }
  }
}

/** Returns how long the gateway asks to wait, in milliseconds. 0 if it does not ask for a wait. */
function retryAfterMs(error: unknown): number {
  return ProtocolError.isInstance(error) ? (error.extras.retryAfterMs ?? 0) : 0;
}

function isPassing(error: unknown): boolean {
  if (ClientError.isInstance(error)) return error.code !== "BAD_ANSWER";
  return ProtocolError.isInstance(error) && ERROR_CODES[error.code].status === 503;
}
