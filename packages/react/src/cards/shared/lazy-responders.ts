import type { ComponentType } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { CardRespondersProps } from "./card-responders.tsx";

const RESPONDERS = createLazyPart<CardRespondersProps>(
  "Who may answer",
  async () => (await import("./card-responders.tsx")).CardResponders,
);

/** `CardResponders`, loaded on first use. */
export const LazyResponders: ComponentType<CardRespondersProps> = RESPONDERS.Part;

/** Loads it ahead of its first use. Rejects when it cannot be loaded. */
export const preloadResponders: () => Promise<void> = RESPONDERS.preload;
