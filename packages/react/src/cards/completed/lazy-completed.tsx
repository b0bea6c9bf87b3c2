import type { ComponentType } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { AnsweredCardProps } from "./answered-card.tsx";
import type { ClosedCardProps } from "./closed-card.tsx";

const ANSWERED_CARD = createLazyPart<AnsweredCardProps>(
  "The answer",
  async () => (await import("./answered-card.tsx")).AnsweredCard,
);
const CLOSED_CARD = createLazyPart<ClosedCardProps>(
  "The outcome",
  async () => (await import("./closed-card.tsx")).ClosedCard,
);

/** `AnsweredCard`, loaded on first use. */
export const LazyAnsweredCard: ComponentType<AnsweredCardProps> = ANSWERED_CARD.Part;

/** `ClosedCard`, loaded on first use. */
export const LazyClosedCard: ComponentType<ClosedCardProps> = CLOSED_CARD.Part;

/** Loads the parts of past cards ahead of their first use. Rejects when one cannot be loaded. */
export async function preloadCompleted(): Promise<void> {
  await Promise.all([
    import("./past-card.tsx").then(({ preloadDetails }) => preloadDetails()),
    ANSWERED_CARD.preload(),
    CLOSED_CARD.preload(),
    import("./check-message.ts"),
  ]);
}
