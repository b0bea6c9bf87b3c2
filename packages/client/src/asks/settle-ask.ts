import { type Ask, type AskBody, errorFactsOf, ProtocolError } from "@holdpoint/protocol";

import { backoffMs } from "../lib/backoff.ts";
import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { ClientError } from "../transports/client-error.ts";
import type { Calls } from "../transports/transport.ts";

/** Less than a request may take. */
const WAIT = "20s";
/** A gateway that stops, or a proxy, answers at once that nothing has happened. */
const LEAST_WAIT_MS = 1000;
const WITHDRAWAL_MS = 5000;

export type AskComment = NonNullable<Ask["comments"]>[number];

/** What asking needs of a transport. */
export type AskCalls = Pick<Calls, "createAsk" | "getAsk" | "withdrawAsk">;

export interface SettleAskOptions {
  /** Takes the ask back when it aborts; then `settleAsk` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the gateway may be gone before the ask has reached it, in milliseconds. Default: for ever. */
  readonly patienceMs?: number | undefined;
  /** Told once, when the ask has reached the gateway. */
  readonly onAsked?: ((ask: Ask) => void) | undefined;
  /** Told of each comment that is written under the ask, the program's own as well. None of them is an answer. */
  readonly onComment?: ((comment: AskComment) => void) | undefined;
  /** Told of each try that failed and is repeated. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly randomness?: Randomness | undefined;
}

/**
 * Asks, and waits until the ask is over, however long that takes and however often the gateway is gone meanwhile. Resolves to
 * what became of it: that it has expired or was withdrawn is no error. Rejects with `ProtocolError` when the gateway refuses,
 * and with `ClientError` after `patienceMs`.
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
  // One key for all tries: whichever of them arrives, it is one ask.
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
    // Awaited below, where nothing has happened.
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
  // The gateway has kept its sensitive values until now.
  const { response } = ask;
  await persist(parts, Infinity, () => gateway.withdrawAsk(interactionId, { signal }));
  return { ...ask, ...(response && { response }) };
}

/** Tries until it succeeds, or fails in a way in which it would fail again. */
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
      await clock.sleep(Math.max(leastMs, backoffMs(attempt, randomness, 5000)), { signal });
    }
  }
}

/** Whether the same call may succeed later. That too much is pending may last, and somebody has to know. */
function isPassing(error: unknown): boolean {
  if (ClientError.isInstance(error)) return error.code !== "GATEWAY_UNKNOWN";
  if (!ProtocolError.isInstance(error) || error.code === "TOO_MANY_PENDING") return false;
  return errorFactsOf(error.code).retryable === true;
}

/** For a moment: who has asked may be about to end. */
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
