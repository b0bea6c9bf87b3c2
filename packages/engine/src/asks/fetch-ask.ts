import type { Ask, Caller, FollowOptions, SerializedFrame } from "@holdpoint/protocol";

import type { SettleInteraction } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import { askingSession, findOwnAsk } from "./own-ask.ts";
import { showAsk, type ShowAskParts } from "./show-ask.ts";

export interface FetchAskParts extends ShowAskParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessions: LiveSessions;
  readonly settle: SettleInteraction;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * One of the caller's asks in its current state. An answer returned here counts as delivered, and can be fetched again.
 */
export async function fetchAsk(
  parts: FetchAskParts,
  caller: Caller,
  interactionId: string,
): Promise<Ask> {
  const stored = await findOwnAsk(parts.store, caller, interactionId);
  return showAsk(parts, await noteDelivery(parts, stored));
}

/**
 * Records the delivery of the answer, except for an answer with sensitive values: recording it would delete them,
 * and the program may never receive this response. A failure is harmless, because the next fetch tries again.
 */
async function noteDelivery(
  parts: Pick<FetchAskParts, "clock" | "settle" | "onError">,
  stored: StoredInteraction,
): Promise<StoredInteraction> {
  const { status, response } = stored.interaction;
  if (status !== "answered" || response?.redacted?.length) return stored;
  try {
    return await deliver(parts, stored);
  } catch (error: unknown) {
    parts.onError(error, "ask");
    return stored;
  }
}

/** Records that the program has the answer, which deletes its sensitive values. */
export async function deliver(
  { clock, settle }: Pick<FetchAskParts, "clock" | "settle">,
  stored: StoredInteraction,
): Promise<StoredInteraction> {
  const { turnId } = stored.interaction;
  const at = toInstant(clock.now());
  const result = await settle(stored, { type: "deliver", at, how: "resumed", turnId });
  return result.status === "gone" ? stored : result.stored;
}

/**
 * Yields the ask at once and after each new comment or change of status, until it is no longer pending or the gateway
 * closes.
 */
export async function* followAsk(
  parts: FetchAskParts,
  caller: Caller,
  interactionId: string,
  { signal }: FollowOptions,
): AsyncGenerator<readonly SerializedFrame[], void> {
  const live = parts.sessions.acquire(askingSession(caller));
  const changes = live.interactions.acquire(interactionId);
  const ending = AbortSignal.any([signal, parts.draining]);
  try {
    for (let told = -1; ;) {
      const { version } = changes;
      const ask = await fetchAsk(parts, caller, interactionId);
      const isOver = ask.status !== "pending";
      const comments = ask.comments?.length ?? 0;
      if (isOver || comments !== told) {
        yield [{ json: JSON.stringify({ type: "ask_changed", ask }) }];
      }
      told = comments;
      if (isOver || ending.aborted) return;
      await changes.wait(version, { signal: ending });
      if (ending.aborted) return;
    }
  } finally {
    live.interactions.release(interactionId);
    parts.sessions.release(live);
  }
}
