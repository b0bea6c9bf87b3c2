import type { ReactNode } from "react";

import { KeyedCard, type KeyedCardProps } from "./interaction-card.tsx";
import { CardResponders } from "./shared/card-responders.tsx";
import { useOwnRight } from "./shared/own-right.ts";

/** The card of an interaction that only some may answer: it knows whether its person is one of them. */
export function NarrowedCard(props: KeyedCardProps): ReactNode {
  const right = useOwnRight(props.interaction, props);
  return <KeyedCard {...props} own={{ ...right, Notice: CardResponders }} />;
}
