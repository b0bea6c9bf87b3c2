import type { ComponentType } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import type { KeyedCardProps } from "./card-props.ts";

const NARROWED = createLazyPart<KeyedCardProps>(
  "The answer",
  async () => (await import("./narrowed-card.tsx")).NarrowedCard,
);

/** `NarrowedCard`, loaded on first use. */
export const LazyNarrowedCard: ComponentType<KeyedCardProps> = NARROWED.Part;

/** Loads `NarrowedCard` ahead of its first use. Rejects when it cannot be loaded. */
export const preloadNarrowed: () => Promise<void> = NARROWED.preload;
