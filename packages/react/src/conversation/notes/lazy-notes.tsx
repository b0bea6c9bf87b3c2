import type { ComponentType } from "react";

import { Button } from "../../parts/button.tsx";
import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { CardNotesProps } from "./card-notes.tsx";

const NOTES = createLazyPart<CardNotesProps>(
  // A placeholder of the same height: the content below must not move under a finger.
  () => (
    <div className="hp-card-notice hp-undo" aria-hidden>
      <Button blocked tabIndex={-1} />
    </div>
  ),
  async () => (await import("./card-notes.tsx")).CardNotes,
);

/** `CardNotes`, loaded on first use. */
export const LazyCardNotes: ComponentType<CardNotesProps> = NOTES.Part;

/** Loads `CardNotes` ahead of its first use. Rejects when it cannot be loaded. */
export const preloadNotes: () => Promise<void> = NOTES.preload;
