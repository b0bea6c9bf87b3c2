import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { copyOriginal } from "../parts/copy-original.ts";
import { focusedElement } from "../parts/focused-element.ts";
import { keepFromForeignChanges } from "../parts/foreign-nodes.ts";
import { NotLoaded } from "../parts/seam.tsx";
import { tellShift } from "../parts/shifts.ts";
import { UiClockProvider, useUiClock } from "../parts/ui-clock.tsx";
import { useLanguage } from "../words/language-context.ts";
import { directionOf } from "../words/translate.ts";
import { CardPlaceholder } from "./card-placeholder.tsx";
import type { InteractionCardProps, KeyedCardProps } from "./card-props.ts";
import { CARDS } from "./cards-seam.ts";
import { questionsOf } from "./question/questions-of.ts";
import type { OpenCardProps } from "./shared/card-shell.tsx";
import type { CardState } from "./shared/card-state.ts";
import { useHadFocus } from "./shared/use-had-focus.ts";
import { useResponse } from "./shared/use-response.ts";

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
  const { interactionId: key, responders } = props.interaction;
  const card =
    responders === undefined ? (
      <KeyedCard key={key} {...props} />
    ) : (
      <CARDS.Part of="NarrowedCard" instead={NotLoaded} key={key} Card={KeyedCard} {...props} />
    );
  return now === undefined ? card : <UiClockProvider clock={still}>{card}</UiClockProvider>;
}

function KeyedCard(props: KeyedCardProps): ReactNode {
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
    return (
      <CARDS.Part of="AnsweredCard" instead={NotLoaded} {...props} {...{ interaction, state }} />
    );
  }
  if (state.phase === "withdrawn" || isClosedLate(state)) {
    return <CARDS.Part of="ClosedCard" instead={NotLoaded} {...{ interaction, state }} />;
  }
  return <OpenCard {...{ interaction, response, ...props }} />;
}

function OpenCard({ interaction, response, ...props }: CardOfStateProps): ReactNode {
  const { drafts, agentLabel, autoFocus } = props;
  const cards = CARDS.useModule();
  const open = { interaction, response, drafts, agentLabel, autoFocus };
  return typeof cards === "string" ? (
    <CardPlaceholder {...open} failed={cards === "failed"} />
  ) : (
    <LoadedCard {...open} cards={cards} />
  );
}

type LoadedCardProps = OpenCardProps & {
  readonly cards: Exclude<ReturnType<typeof CARDS.useModule>, string>;
};

/** An open card. It takes the focus if its placeholder had it. */
function LoadedCard({ cards, ...props }: LoadedCardProps): ReactNode {
  const { interaction } = props;
  const { interactionId, kind, approval, form } = interaction;
  const [hadFocus] = useState(() => isFocused(interactionId));
  const open = { ...props, autoFocus: hadFocus || props.autoFocus };
  if (kind === "approval" && approval !== undefined) {
    return <cards.ApprovalCard {...open} approval={approval} />;
  }
  if (kind === "form" && form !== undefined) return <cards.FormCard {...open} form={form} />;
  if (kind === "question" && questionsOf(interaction).length > 0) {
    return <cards.QuestionCard {...open} />;
  }
  return <cards.UnreadableCard {...open} />;
}

function isFocused(interactionId: string): boolean {
  const activeElement = focusedElement();
  return (
    activeElement instanceof HTMLElement && activeElement.dataset["interactionId"] === interactionId
  );
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
