import type { ComponentType } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { ClosedCardProps } from "./closed-card.tsx";
import type { CompletedCardProps } from "./completed-card.tsx";
import type { UndoOfferProps } from "./undo-offer.tsx";
import type { UnknownDeliveryProps } from "./unknown-delivery.tsx";

const COMPLETED_CARD = createLazyPart<CompletedCardProps>(
  "The answer",
  async () => (await import("./completed-card.tsx")).CompletedCard,
);
const CLOSED_CARD = createLazyPart<ClosedCardProps>(
  "What became of this",
  async () => (await import("./closed-card.tsx")).ClosedCard,
);
const UNKNOWN_DELIVERY = createLazyPart<UnknownDeliveryProps>(
  "What is known of this answer",
  async () => (await import("./unknown-delivery.tsx")).UnknownDelivery,
);
const UNDO_OFFER = createLazyPart<UndoOfferProps>(
  "The way to undo",
  async () => (await import("./undo-offer.tsx")).UndoOffer,
);

/** `CompletedCard`, loaded on first use. */
export const LazyCompletedCard: ComponentType<CompletedCardProps> = COMPLETED_CARD.Part;

/** `ClosedCard`, loaded on first use. */
export const LazyClosedCard: ComponentType<ClosedCardProps> = CLOSED_CARD.Part;

/** `UnknownDelivery`, loaded on first use. */
export const LazyUnknownDelivery: ComponentType<UnknownDeliveryProps> = UNKNOWN_DELIVERY.Part;

/** `UndoOffer`, loaded on first use. */
export const LazyUndoOffer: ComponentType<UndoOfferProps> = UNDO_OFFER.Part;

/** Loads what past cards need ahead of its first use. Rejects when it cannot be loaded. */
export async function preloadCompleted(): Promise<void> {
  await Promise.all([
    import("./past-card.tsx").then(({ preloadDetails }) => preloadDetails()),
    COMPLETED_CARD.preload(),
    CLOSED_CARD.preload(),
    UNKNOWN_DELIVERY.preload(),
    UNDO_OFFER.preload(),
    import("./check-message.ts"),
  ]);
}
