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
  /** This client: tells "you, on this device" from "another device". */
  readonly clientId: string;
  /** The person of this client, as `Person` names them. Absent: the gateway's owner. */
  readonly personId?: string | undefined;
  /** What the issuer says of that person: what they may answer can depend on it. */
  readonly signIn?: Person["signIn"];
  readonly canRespond: boolean;
  /** Why not, where `canRespond` is false; default: interaction is off here. */
  readonly readOnlyReason?: ReadOnlyReason;
  /** Sends a response. Resolves with what the gateway decided; rejects when it could not be asked. */
  readonly onRespond?: (body: RespondBody) => Promise<RespondResult>;
  /**
   * Dismisses an interaction that no agent waits for any more; resolves with what has become of it. Without it such a card
   * can only be answered.
   */
  readonly onDismiss?: () => Promise<Interaction>;
  /** Takes an answer back that was given at that instant. Without it none is offered to be taken back. */
  readonly onUndo?: (answeredAt: string) => Promise<unknown>;
  /** Asks the agent to look whether the call ran, where that is not known. May be called again: it asks once. */
  readonly onAskToCheck?: () => Promise<void>;
  /** The input on the card is not the stored one any more: load the interaction again. */
  readonly onStale?: () => void;
  /** Where unsent answers are kept, by interaction id, until the gateway has acknowledged one. */
  readonly drafts: DraftStorage;
  /** A fixed time, in epoch milliseconds, for stills; default: the clock. */
  readonly now?: number;
  /** The agent's name for people. */
  readonly agentLabel?: string;
  /** Focuses the card itself, never a control in it. */
  readonly autoFocus?: boolean;
  /** The tool asked again after this one. */
  readonly askedAgain?: boolean;
}

/**
 * One interaction in any state: to be answered, being sent, answered here or elsewhere, or closed. The state comes from
 * `interaction`, and from what this card itself has sent.
 */
export function InteractionCard({ now, ...props }: InteractionCardProps): ReactNode {
  const clock = useUiClock();
  const still = useMemo(
    () => (now === undefined ? clock : { ...clock, now: () => now }),
    [clock, now],
  );
  // Another interaction is another card: its input must not carry over.
  const Card = props.interaction.responders === undefined ? KeyedCard : LazyNarrowedCard;
  const card = <Card key={props.interaction.interactionId} {...props} />;
  return now === undefined ? card : <UiClockProvider clock={still}>{card}</UiClockProvider>;
}

export type KeyedCardProps = Omit<InteractionCardProps, "now">;

/** The card of one interaction. */
export function KeyedCard(props: KeyedCardProps): ReactNode {
  const { interaction, clientId, personId, canRespond, readOnlyReason, drafts } = props;
  const { onRespond, onDismiss, onStale } = props;
  const response = useResponse({
    interaction,
    clientId,
    personId,
    canRespond: canRespond && onRespond !== undefined,
    readOnlyReason,
    onRespond,
    onDismiss,
    onStale,
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

/** When the card with the focus closes, the focus moves to what replaces it instead of to the page. */
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
