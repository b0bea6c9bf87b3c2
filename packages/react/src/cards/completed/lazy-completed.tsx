import { createLazyPart } from "../../parts/lazy-part.tsx";
import { preloadDetails } from "./past-card.tsx";

const CLOSED_CARD = createLazyPart(
  "What became of this",
  async () => (await import("./closed-card.tsx")).ClosedCard,
);
const UNKNOWN_DELIVERY = createLazyPart(
  "What is known of this answer",
  async () => (await import("./unknown-delivery.tsx")).UnknownDelivery,
);

/** `ClosedCard`, loaded on first use. */
export const LazyClosedCard: typeof CLOSED_CARD.Part = CLOSED_CARD.Part;

/** `UnknownDelivery`, loaded on first use. */
export const LazyUnknownDelivery: typeof UNKNOWN_DELIVERY.Part = UNKNOWN_DELIVERY.Part;

/** Loads what past cards need ahead of its first use. Rejects when it cannot be loaded. */
export async function preloadCompleted(): Promise<void> {
  await Promise.all([
    preloadDetails(),
    CLOSED_CARD.preload(),
    UNKNOWN_DELIVERY.preload(),
    import("./check-message.ts"),
  ]);
}
