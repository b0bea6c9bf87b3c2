import type { DraftStorage } from "@holdpoint/client";
import type { Interaction, Person, RespondBody, RespondResult } from "@holdpoint/protocol";
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";

import { copyOriginal } from "../parts/copy-original.ts";
import { keepFromForeignChanges } from "../parts/keep-from-foreign-changes.ts";
import { tellShift } from "../parts/shifts.ts";
import { UiClockProvider, useUiClock } from "../parts/ui-clock.tsx";
import { useLanguage } from "../words/language-context.ts";
import { directionOf } from "../words/translate.ts";
import { LazyAnsweredCard, LazyClosedCard } from "./completed/lazy-completed.tsx";
import {
  LazyApprovalCard,
  LazyFormCard,
  LazyQuestionCard,
  LazyUnreadableCard,
} from "./lazy-cards.tsx";
import { LazyNarrowedCard } from "./lazy-narrowed.ts";
import { questionsOf } from "./question/questions-of.ts";
import type { CardState, ReadOnlyReason } from "./shared/card-state.ts";
import { useHadFocus } from "./shared/use-had-focus.ts";
import { useResponse } from "./shared/use-response.ts";

export interface InteractionCardProps {
  readonly interaction: Interaction;
  /** The id of this client, which tells "you, on this device" from "another device". */
  readonly clientId: string;
  /** The person of this client, as in `Person`. Absent: the gateway's owner. */
  readonly personId?: string | undefined;
  /** The issuer's claims about that person, on which the permission to answer can depend. */
  readonly signIn?: Person["signIn"];
  readonly canRespond: boolean;
  /** The reason if `canRespond` is false. Default: interaction is off here. */
  readonly readOnlyReason?: ReadOnlyReason;
  /** Sends a response. Resolves to the gateway's decision; rejects if the gateway could not be asked. */
  readonly onRespond?: (body: RespondBody) => Promise<RespondResult>;
  /**
   * Dismisses an interaction that no agent waits for. Resolves to the dismissed interaction. Without it, such a card
   * can only be answered.
   */
  readonly onDismiss?: () => Promise<Interaction>;
  /** Undoes the answer given at that instant. Without it, undo is not offered. */
  readonly onUndo?: (answeredAt: string) => Promise<unknown>;
  /** Asks the agent whether a call ran, if that is unknown. Can be called again: the agent is asked once. */
  readonly onAskToCheck?: () => Promise<void>;
  /** Called when the input on the card is no longer the stored one: load the interaction again. */
  readonly onStale?: () => void;
  /**
   * Reads the interaction again once the gateway can be reached, to find out whether it has an answer that was not
   * confirmed. Rejects only when the signal aborts.
   */
  readonly onCheck?: (signal: AbortSignal) => Promise<Interaction>;
  /** Keeps unsent answers by interaction id, until the gateway has acknowledged one. */
  readonly drafts: DraftStorage;
  /** A fixed time, in epoch milliseconds, for screenshots. Default: the clock. */
  readonly now?: number;
  /** The agent's display name. */
  readonly agentLabel?: string;
  /** Focuses the card itself, never a control in it. */
  readonly autoFocus?: boolean;
  readonly askedAgain?: boolean;
}

/**
 * One interaction in any state: open, being sent, answered here or elsewhere, or closed. The state follows from
 * `interaction` and from the response that this card has sent.
 */
export function InteractionCard({ now, ...props }: InteractionCardProps): ReactNode {
  const clock = useUiClock();
  const still = useMemo(
    () => (now === undefined ? clock : { ...clock, now: () => now }),
    [clock, now],
  );
  // Keyed by interaction, so that input does not carry over to another one.
  const Card = props.interaction.responders === undefined ? KeyedCard : LazyNarrowedCard;
  const card = <Card key={props.interaction.interactionId} {...props} />;
  return now === undefined ? card : <UiClockProvider clock={still}>{card}</UiClockProvider>;
}

export type KeyedCardProps = Omit<InteractionCardProps, "now">;

export function KeyedCard(props: KeyedCardProps): ReactNode {
  const { interaction, clientId, personId, canRespond, readOnlyReason, drafts } = props;
  const { onRespond, onDismiss, onStale, onCheck } = props;
  const response = useResponse({
    interaction,
    clientId,
    personId,
    canRespond: canRespond && onRespond !== undefined,
    readOnlyReason,
    onRespond,
    onDismiss,
    onStale,
    onCheck,
    drafts,
  });
  const { state } = response;
  const slot = useFocusKeeper(isOpen(state));
  const language = useLanguage();
  return (
    <div
      className="hp-interaction"
      translate="no"
      lang={language.tag}
      dir={directionOf(language)}
      ref={slot}
      data-phase={state.phase}
      onCopy={copyOriginal}
    >
      <CardOfState {...props} response={response} />
    </div>
  );
}

type CardOfStateProps = KeyedCardProps & { response: ReturnType<typeof useResponse> };

function CardOfState({ interaction, response, ...props }: CardOfStateProps): ReactNode {
  const { state } = response;
  if (state.phase === "answered_here" || state.phase === "answered_elsewhere") {
    return <LazyAnsweredCard {...props} interaction={interaction} state={state} />;
  }
  if (state.phase === "withdrawn" || isClosedLate(state)) {
    return <LazyClosedCard interaction={interaction} state={state} />;
  }
  return <OpenCard {...{ interaction, response, ...props }} />;
}

function OpenCard({ interaction, response, ...props }: CardOfStateProps): ReactNode {
  const { drafts, agentLabel, autoFocus } = props;
  const open = { interaction, response, drafts, agentLabel, autoFocus };
  const { kind, approval, form } = interaction;
  if (kind === "approval" && approval !== undefined) {
    return <LazyApprovalCard {...open} approval={approval} />;
  }
  if (kind === "form" && form !== undefined) return <LazyFormCard {...open} form={form} />;
  if (kind === "question" && questionsOf(interaction).length > 0) {
    return <LazyQuestionCard {...open} />;
  }
  return <LazyUnreadableCard {...{ interaction, agentLabel, autoFocus }} />;
}

function isClosedLate(state: CardState): state is CardState & { phase: "expired" | "orphaned" } {
  return (state.phase === "expired" || state.phase === "orphaned") && !state.canAnswer;
}

function isOpen(state: CardState): boolean {
  switch (state.phase) {
    case "answered_here":
    case "answered_elsewhere":
    case "withdrawn":
      return false;
    case "expired":
    case "orphaned":
      return state.canAnswer;
    case "pending":
    case "parked":
    case "queued":
    case "submitting":
    case "failed":
    case "invalid":
    case "changed":
    case "read_only":
      return true;
  }
}

/** If a card closes while it has the focus, moves the focus to its replacement instead of losing it to the page. */
function useFocusKeeper(open: boolean) {
  const slot = useRef<HTMLDivElement>(null);
  const hadFocus = useHadFocus(slot);
  const wasOpen = useRef(open);
  useEffect(() => keepFromForeignChanges(slot.current), []);
  useLayoutEffect(() => {
    if (wasOpen.current && !open && hadFocus()) {
      slot.current?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
    }
    if (wasOpen.current !== open) tellShift();
    wasOpen.current = open;
  }, [open, hadFocus]);
  return slot;
}
