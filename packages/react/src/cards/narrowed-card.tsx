import {
  isAnswered,
  newerInteraction,
  type Interaction,
  type RespondBody,
} from "@holdpoint/protocol";
import { useState, type ComponentType, type ReactNode } from "react";

import type { KeyedCardProps } from "./card-props.ts";
import { CardResponders } from "./shared/card-responders.tsx";
import { OwnRightContext } from "./shared/own-right-context.ts";
import { isResponder, useOwnRight } from "./shared/own-right.ts";

type NarrowedCardProps = KeyedCardProps & {
  /** The card of an interaction that everyone may answer. */
  readonly Card: ComponentType<KeyedCardProps>;
};

/** The card of an interaction that only certain people may answer. Determines whether this person is one of them. */
export function NarrowedCard({ Card, ...props }: NarrowedCardProps): ReactNode {
  const { onRespond } = props;
  const [sent, setSent] = useState<Interaction>();
  // This page has its own vote before it arrives with the interaction.
  const interaction = sent ? newerInteraction(props.interaction, sent) : props.interaction;
  const right = useOwnRight(interaction, props);
  const isOne = isResponder(interaction, right);
  const send =
    onRespond &&
    (async (body: RespondBody) => {
      const result = await onRespond(body);
      if (result.status === "accepted" && !isAnswered(result.interaction.status)) {
        setSent(result.interaction);
      }
      return result;
    });
  return (
    <OwnRightContext value={{ ...right, Notice: CardResponders }}>
      <Card
        {...props}
        interaction={interaction}
        {...(send && { onRespond: send })}
        {...(props.canRespond && !isOne && { canRespond: false, readOnlyReason: "no_right" })}
      />
    </OwnRightContext>
  );
}
