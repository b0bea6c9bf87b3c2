import {
  type Interaction,
  nextStepOf,
  refusalOfResponder,
  type ResponderRefusal,
  type Voter,
} from "@holdpoint/protocol";
import type { ComponentType } from "react";

import { useNow, useUiClock } from "../../parts/ui-clock.tsx";

/** What the person of this page may not do with an interaction that only some may answer. The gateway enforces it, not the page. */
export interface OwnRight {
  /** Why they may not answer at all. */
  readonly answer?: ResponderRefusal | undefined;
  /** Why they may not say yes; `voted`: they have. */
  readonly allow?: ResponderRefusal | "voted" | undefined;
  /** Says on the card who may answer. */
  readonly Notice?: ComponentType<RespondersNoticeProps>;
}

export interface RespondersNoticeProps {
  readonly interaction: Interaction;
  readonly own: OwnRight;
}

const EVERYTHING: OwnRight = {};
/** The longest time that a timer can take. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Known again at the next step, which may add the person. */
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
