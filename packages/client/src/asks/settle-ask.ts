import { type Ask, type AskBody, errorFactsOf, ProtocolError } from "@holdpoint/protocol";

import { randomBackoffMs } from "../lib/backoff.ts";
import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { ClientError } from "../transports/client-error.ts";
import type { Calls } from "../transports/transport.ts";

/** The duration of one long poll, shorter than the request timeout. */
const WAIT = "20s";
/** The minimum time between two polls, because a stopping gateway or a proxy may answer them at once. */
const LEAST_WAIT_MS = 1000;
const WITHDRAWAL_MS = 5000;

export type AskComment = NonNullable<Ask["comments"]>[number];

/** The part of a transport that asks need. */
export type AskCalls = Pick<Calls, "createAsk" | "getAsk" | "withdrawAsk">;

export interface SettleAskOptions {
  /** Withdraws the ask when it aborts; `settleAsk` then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the gateway may be unreachable before the ask has arrived, in milliseconds. Default: forever. */
  readonly patienceMs?: number | undefined;
  /** Called once, when the ask has reached the gateway. */
  readonly onAsked?: ((ask: Ask) => void) | undefined;
  /** Called for each comment on the ask, including the program's own comments. Comments are never answers. */
  readonly onComment?: ((comment: AskComment) => void) | undefined;
  /** Called for each failed try that is repeated. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly randomness?: Randomness | undefined;
}

/**
 * Creates an ask and waits until it is over, however long that takes and however often the gateway is unreachable.
 * Resolves to the final ask: expiry and withdrawal are no errors. Rejects with `ProtocolError` when the gateway
 * refuses, with
 * `ClientError` after `patienceMs`, and with the reason of `signal` when it aborts.
 */
export async function settleAsk(
  gateway: AskCalls,
  body: AskBody,
  options: SettleAskOptions = {},
): Promise<Ask> {
  const { signal, patienceMs = Infinity, onAsked } = options;
  const parts = {
    ...options,
    clock: options.clock ?? createBrowserClock(),
    randomness: options.randomness ?? createBrowserRandomness(),
    signal: signal ?? new AbortController().signal,
  };
  // All tries share one key, so that they create a single ask.
  const keyed = { ...body, idempotencyKey: body.idempotencyKey ?? parts.randomness.key() };
  const asked = await persist(parts, patienceMs, () => gateway.createAsk(keyed, { signal }));
  onAsked?.(asked);
  try {
    return await awaitEnd(gateway, asked, parts);
  } catch (error: unknown) {
    if (signal?.aborted) await withdraw(gateway, asked, parts.clock);
    throw error;
  }
}

interface Parts extends SettleAskOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
}

async function awaitEnd(gateway: AskCalls, asked: Ask, parts: Parts): Promise<Ask> {
  const { clock, signal, onComment } = parts;
  const { interactionId } = asked;
  let ask = asked;
  let told = 0;
  const tell = (): void => {
    for (const comment of (ask.comments ?? []).slice(told)) onComment?.(comment);
    told = ask.comments?.length ?? told;
  };
  tell();
  while (ask.status === "pending") {
    const pause = clock.sleep(LEAST_WAIT_MS, { signal });
    // Awaited below if the ask is still pending.
    pause.catch(() => undefined);
    ask = await persist(parts, Infinity, () =>
      gateway.getAsk(
        interactionId,
        { wait: WAIT, ...(onComment && { comments: told }) },
        { signal },
      ),
    );
    tell();
    if (ask.status === "pending") await pause;
  }
  if (ask.status !== "answered") return ask;
  // The gateway keeps the sensitive values of an answer until this withdrawal.
  const { response } = ask;
  await persist(parts, Infinity, () => gateway.withdrawAsk(interactionId, { signal }));
  return { ...ask, ...(response && { response }) };
}

/** Retries `call` until it succeeds, fails with an error that retries cannot fix, or `patienceMs` is over. */
async function persist<T>(
  { clock, randomness, signal, onTrouble }: Parts,
  patienceMs: number,
  call: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error: unknown) {
      signal.throwIfAborted();
      if (!isPassing(error) || clock.now() - startedAt >= patienceMs) throw error;
      onTrouble?.(error);
      const leastMs = ProtocolError.isInstance(error) ? (error.extras.retryAfterMs ?? 0) : 0;
      await clock.sleep(Math.max(leastMs, randomBackoffMs(attempt, randomness, 5000)), { signal });
    }
  }
}

/** Whether a retry may succeed. `TOO_MANY_PENDING` may last long, so it is reported instead. */
function isPassing(error: unknown): boolean {
  if (ClientError.isInstance(error)) return error.code !== "GATEWAY_UNKNOWN";
  if (!ProtocolError.isInstance(error) || error.code === "TOO_MANY_PENDING") return false;
  return errorFactsOf(error.code).retryable === true;
}

/** Withdraws the ask within a few seconds, because the requester may be about to exit. Never rejects. */
async function withdraw(gateway: AskCalls, { interactionId }: Ask, clock: Clock): Promise<void> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(WITHDRAWAL_MS, { signal: done.signal }).then(
    () => late.abort(),
    () => undefined,
  );
  await gateway.withdrawAsk(interactionId, { signal: late.signal }).catch(() => undefined);
  done.abort();
}
