import { isAnswerable } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";

/**
 * Late interactions may never be answered, so the oldest entry is dropped. A row that was read that long ago has been
 * written since.
 */
const MOST = 10_000;

/**
 * Interactions with notes, including notes that are being written. A row that was read before a note was added must not
 * overwrite it. A row with notes shows that itself; this set is for writers that have read an older row.
 */
export class InteractionsWithNotes {
  readonly #ids = new Set<string>();

  has(interactionId: string): boolean {
    return this.#ids.has(interactionId);
  }

  /** Call this before the row is written. */
  consider({ interaction }: StoredInteraction): void {
    if (!interaction.notes) return;
    const { interactionId } = interaction;
    this.#ids.delete(interactionId);
    this.#ids.add(interactionId);
    if (this.#ids.size <= MOST) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  /** Call this after the row was written. Nothing is added to an interaction that can no longer be answered. */
  written({ interaction }: StoredInteraction): void {
    if (!isAnswerable(interaction)) this.#ids.delete(interaction.interactionId);
  }
}
