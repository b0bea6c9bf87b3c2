import { createLazyPart } from "../../parts/lazy-part.tsx";

const UNKNOWN_DELIVERY = createLazyPart(
  "What is known of this answer",
  async () => (await import("./unknown-delivery.tsx")).UnknownDelivery,
);

/** `UnknownDelivery`, loaded on first use. */
export const LazyUnknownDelivery: typeof UNKNOWN_DELIVERY.Part = UNKNOWN_DELIVERY.Part;

/** Loads it, and the message that it sends, ahead of its first use. Rejects when they cannot be loaded. */
export async function preloadUnknownDelivery(): Promise<void> {
  await Promise.all([UNKNOWN_DELIVERY.preload(), import("./check-message.ts")]);
}
