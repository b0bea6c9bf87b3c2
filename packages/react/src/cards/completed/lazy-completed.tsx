import { createLazyPart } from "../../parts/lazy-part.tsx";

const COMPLETED_CARD = createLazyPart(
  "The answer",
  async () => (await import("./completed-card.tsx")).CompletedCard,
);
const CLOSED_CARD = createLazyPart(
  "What became of this",
  async () => (await import("./closed-card.tsx")).ClosedCard,
);
const UNKNOWN_DELIVERY = createLazyPart(
  "What is known of this answer",
  async () => (await import("./unknown-delivery.tsx")).UnknownDelivery,
);

/** `CompletedCard`, loaded on first use. */
export const LazyCompletedCard: typeof COMPLETED_CARD.Part = COMPLETED_CARD.Part;

/** `ClosedCard`, loaded on first use. */
export const LazyClosedCard: typeof CLOSED_CARD.Part = CLOSED_CARD.Part;

/** `UnknownDelivery`, loaded on first use. */
export const LazyUnknownDelivery: typeof UNKNOWN_DELIVERY.Part = UNKNOWN_DELIVERY.Part;

/** Loads what past cards need ahead of its first use. Rejects when it cannot be loaded. */
export async function preloadCompleted(): Promise<void> {
  await Promise.all([
    import("./past-card.tsx").then(({ preloadDetails }) => preloadDetails()),
    COMPLETED_CARD.preload(),
    CLOSED_CARD.preload(),
    UNKNOWN_DELIVERY.preload(),
    import("./check-message.ts"),
  ]);
}
