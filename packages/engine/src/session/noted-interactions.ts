import { isAnswerable } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";

/** Late ones may never be answered: the oldest is forgotten. Who has read its row that long ago has written it by now. */
const MOST = 10_000;

/**
 * Interactions with notes, or with one on its way: a row that was read before a note was added must not be written over it. A
 * row that has notes says so itself; this one knows it of those who have read an older one.
 */
export class NotedInteractions {
  readonly #ids = new Set<string>();

  has(interactionId: string): boolean {
    return this.#ids.has(interactionId);
  }

  /** The row is about to be written. */
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

  /** The row was written: nothing is added to what can be answered no more. */
  written({ interaction }: StoredInteraction): void {
    if (!isAnswerable(interaction)) this.#ids.delete(interaction.interactionId);
  }
}
