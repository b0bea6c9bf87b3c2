import type { ReactNode } from "react";

import type { KeyedCardProps } from "../card-props.ts";
import { CompletedCard, type CompletedCardProps } from "./completed-card.tsx";
import { UndoOffer } from "./undo-offer.tsx";
import { UnknownDelivery } from "./unknown-delivery.tsx";

type AnsweredCardProps = Omit<KeyedCardProps, "drafts"> & Pick<CompletedCardProps, "state">;

/** An answer, with the actions its person still has: undo it, or ask the agent to check. */
export function AnsweredCard({
  interaction,
  state,
  askedAgain = false,
  ...props
}: AnsweredCardProps): ReactNode {
  const { how, by, undoUntil } = state;
  const onAskToCheck = props.canRespond ? props.onAskToCheck : undefined;
  const onUndo = props.canRespond ? props.onUndo : undefined;
  return (
    <>
      <CompletedCard {...{ interaction, state, askedAgain }} />
      {by && undoUntil && onUndo && (
        <UndoOffer
          key={by.at}
          answeredAt={by.at}
          undoUntil={undoUntil}
          onUndo={() => onUndo(by.at)}
        />
      )}
      {how === "unknown" && <UnknownDelivery onAskToCheck={onAskToCheck} />}
    </>
  );
}
