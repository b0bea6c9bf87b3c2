import type { Core } from "../gateway/core.ts";
import { findLastingGrant } from "../grants/find-grant.ts";
import { toInstant } from "../lib/instant.ts";
import { settle } from "./settle.ts";

/** Answers everything that waits with this hash and is covered by a grant; in the background, each by itself. */
export function answerWaiting(core: Core, grantHash: string): void {
  for (const interactionId of core.waiters.waitingFor(grantHash)) {
    answerInBackground(core, interactionId);
  }
}

/** Answers it if a grant covers it, without waiting for that. */
export function answerInBackground(core: Core, interactionId: string): void {
  core.background
    .track(answerByGrant(core, interactionId))
    .catch((error: unknown) => core.onError(error, "grants"));
}

/**
 * Answers one interaction in the name of the person whose grant covers it. Does nothing when none does, or when the
 * interaction or the grant is gone by then: whoever settles it first wins.
 */
async function answerByGrant(core: Core, interactionId: string): Promise<void> {
  const stored = await core.store.getInteraction(interactionId);
  if (stored?.interaction.status !== "pending" || stored.grantHash === undefined) return;
  const { sessionId, approval } = stored.interaction;
  const { grantHash } = stored;
  const scopes = approval?.scopes ?? [];
  const found = await findLastingGrant(core, { grantHash, sessionId, scopes });
  if (!found || core.draining.aborted) return;
  const { grantId, scope, by } = found.grant;
  await settle(core, stored, {
    type: "respond",
    response: { action: "approve", approvalScope: scope, grantId },
    by: { ...by, at: toInstant(core.clock.now()) },
  });
}
