import { type Ask, type Caller, isAnswered, isKept, pagesOf } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { deliver, type FetchAskParts } from "./fetch-ask.ts";
import { findOwnAsk } from "./own-ask.ts";
import { showAsk } from "./show-ask.ts";

const PAGE_SIZE = 200;

type WithdrawAskParts = Pick<
  FetchAskParts,
  "callbacks" | "clock" | "settle" | "store" | "toCardUrl"
>;

/**
 * Takes an ask back. An ask that was answered in the meantime counts as delivered, which deletes its sensitive values;
 * a closed one stays unchanged. Resolves to the resulting ask, with its answer if there is one.
 */
export async function withdrawAsk(
  parts: WithdrawAskParts,
  caller: Caller,
  interactionId: string,
): Promise<Ask> {
  const stored = await findOwnAsk(parts.store, caller, interactionId);
  const left = await withdraw(parts, stored, "The program took it back.");
  const { status } = left.interaction;
  const settled = isAnswered(status) ? await deliver(parts, left) : left;
  return showAsk(parts, settled);
}

async function withdraw(
  { clock, settle }: Pick<WithdrawAskParts, "clock" | "settle">,
  stored: StoredInteraction,
  reason: string,
): Promise<StoredInteraction> {
  const at = toInstant(clock.now());
  const result = await settle(stored, { type: "withdraw", at, reason });
  return result.status === "gone" ? stored : result.stored;
}

/** Withdraws all pending asks of a session whose token was revoked: no one could fetch their answers. */
export async function withdrawAsksOf(
  parts: Pick<WithdrawAskParts, "clock" | "settle" | "store">,
  sessionId: string,
): Promise<void> {
  const query = { statuses: ["pending"] as const, sessionId, limit: PAGE_SIZE };
  for await (const { items } of pagesOf((start) =>
    parts.store.listInteractions({ ...query, ...start }),
  )) {
    const asks = items.filter(({ interaction }) => isKept(interaction));
    await Promise.all(asks.map((ask) => withdraw(parts, ask, "Its token was revoked.")));
  }
}
