import { type Interaction, nextStepOf, refusalOfResponder, type Voter } from "@holdpoint/protocol";

import { useNow, useUiClock } from "../../parts/ui-clock.tsx";
import { EVERYTHING, type OwnRight } from "./own-right-context.ts";

/**
 * Whether the person may answer. Only an approval can still be denied by a person who may not allow it.
 */
export function isResponder({ kind }: Interaction, { answer, allow }: OwnRight): boolean {
  return answer === undefined && (kind === "approval" || allow === undefined);
}

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The person's rights. Updated at the next escalation step, which may add the person. */
export function useOwnRight(interaction: Interaction, voter: Voter): OwnRight {
  const clock = useUiClock();
  const next = nextStepOf(interaction, clock.now());
  const waitMs = next === undefined ? 0 : Math.max(next.atMs - clock.now(), 1);
  const now = useNow(Math.min(waitMs, MAX_DELAY_MS));
  return ownRightOf(interaction, voter, Math.max(now, clock.now()));
}

export function ownRightOf(interaction: Interaction, voter: Voter, nowMs: number): OwnRight {
  if (!interaction.responders) return EVERYTHING;
  const at = new Date(nowMs).toISOString();
  const refused = (action: "approve" | "deny") =>
    refusalOfResponder(interaction, voter, { at, action });
  const { personId } = voter;
  const hasVoted =
    personId !== undefined && interaction.votes?.some((vote) => vote.personId === personId);
  return { answer: refused("deny"), allow: refused("approve") ?? (hasVoted ? "voted" : undefined) };
}
