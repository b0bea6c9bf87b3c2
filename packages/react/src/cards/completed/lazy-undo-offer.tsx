import type { ComponentType } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { UndoOfferProps } from "./undo-offer.tsx";

/** `UndoOffer`, loaded on first use. */
export const LazyUndoOffer: ComponentType<UndoOfferProps> = createLazyPart<UndoOfferProps>(
  "The undo button",
  async () => (await import("./undo-offer.tsx")).UndoOffer,
).Part;
