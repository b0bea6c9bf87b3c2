import { findLastingGrant, type FindGrantParts } from "../grants/find-grant.ts";
import { findRule, type FindRuleParts, type RuleFinding } from "../grants/find-rule.ts";
import type { BackgroundTasks } from "../lib/background-tasks.ts";
import { toInstant } from "../lib/instant.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";
import type { Waiters } from "./waiters.ts";

export interface AnswerByGrantParts extends FindGrantParts, FindRuleParts {
  readonly store: Store;
  readonly waiters: Waiters;
  readonly settle: SettleInteraction;
  readonly background: BackgroundTasks;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** Answers every pending interaction with this hash that a grant covers, each separately and in the background. */
export function answerWaiting(parts: AnswerByGrantParts, grantHash: string): void {
  for (const interactionId of parts.waiters.waitingFor(grantHash)) {
    answerByGrant(parts, interactionId);
  }
}

/** Answers one interaction in the background, if a grant covers it. */
export function answerByGrant(parts: AnswerByGrantParts, interactionId: string): void {
  const { background, onError } = parts;
  background
    .track(answer(parts, interactionId))
    .catch((error: unknown) => onError(error, "grants"));
}

/**
 * Answers for the person whose grant covers the interaction. Does nothing when no grant covers it, when the interaction
 * or the grant is gone, or when a rule was added in the meantime: the first response wins.
 */
async function answer(parts: AnswerByGrantParts, interactionId: string): Promise<void> {
  const stored = await parts.store.getInteraction(interactionId);
  if (stored?.interaction.status !== "pending" || stored.grantHash === undefined) return;
  const { sessionId, approval } = stored.interaction;
  const { grantHash } = stored;
  const scopes = approval?.scopes ?? [];
  const { isForPeople, guards } = await askRules(parts, stored);
  if (isForPeople) return;
  const found = await findLastingGrant(parts, { grantHash, sessionId, scopes });
  if (!found || parts.draining.aborted) return;
  const { grantId, scope, by } = found.grant;
  const response = { action: "approve" as const, approvalScope: scope, grantId };
  const responder = { ...by, at: toInstant(parts.clock.now()) };
  await parts.settle(stored, { type: "respond", response, by: responder }, { guards });
}

/** Whether a rule prevents an answer by a grant. */
async function askRules(
  parts: FindRuleParts,
  { interaction, agent = "" }: StoredInteraction,
): Promise<{ readonly isForPeople: boolean; readonly guards: RuleFinding["guards"] }> {
  const { sessionId, toolName, approval } = interaction;
  if (!approval) return { isForPeople: false, guards: [] };
  const { rule, guards } = await findRule(parts, { ...approval, sessionId, toolName, agent });
  return { isForPeople: rule !== undefined && rule.grant.rule?.verdict !== "allow", guards };
}
