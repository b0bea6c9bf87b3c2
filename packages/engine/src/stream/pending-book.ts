import { type Interaction, type InteractionKind, pagesOf } from "@holdpoint/protocol";

import type { Store } from "../ports/store.ts";

const PAGE = 500;

interface Entry {
  readonly kind: InteractionKind;
  readonly startedAtMs: number;
}

/** Figures for the pending interactions of one kind. */
export interface PendingFigures {
  readonly count: number;
  /** When the oldest one was opened, in milliseconds since the epoch. */
  readonly oldestAtMs: number | undefined;
}

/**
 * The pending interactions by kind, for reading figures. It is empty until the first read, which fills it from the
 * store. From then on it is kept up to date from writes.
 */
export class PendingBook {
  /** By session, because a session is deleted as a whole. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  #filling: Promise<void> | undefined;
  /**
   * Interactions and sessions that ended while the book was being filled. A page read before may still contain them.
   */
  #gone: Set<string> | undefined;

  /** The number of entries. */
  get size(): number {
    return [...this.#entries.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Rejects when the store cannot be read; the next call tries again. */
  async read(
    store: Pick<Store, "listInteractions">,
  ): Promise<ReadonlyMap<InteractionKind, PendingFigures>> {
    this.#filling ??= this.#fill(store).catch((error: unknown) => {
      this.#filling = undefined;
      throw error;
    });
    await this.#filling;
    return this.#count();
  }

  changed({ interactionId, sessionId, status, kind, startedAt }: Interaction): void {
    if (!this.#filling) return;
    if (status === "pending") this.#add(sessionId, interactionId, { kind, startedAt });
    else this.#remove(sessionId, interactionId);
  }

  sessionDeleted(sessionId: string): void {
    for (const interactionId of this.#entries.get(sessionId)?.keys() ?? []) {
      this.#gone?.add(interactionId);
    }
    this.#gone?.add(sessionId);
    this.#entries.delete(sessionId);
  }

  async #fill(store: Pick<Store, "listInteractions">): Promise<void> {
    this.#entries.clear();
    const gone = new Set<string>();
    this.#gone = gone;
    try {
      const query = { statuses: ["pending"], limit: PAGE } as const;
      for await (const { items } of pagesOf((start) =>
        store.listInteractions({ ...query, ...start }),
      )) {
        const left = items.filter(
          ({ interaction: { interactionId, sessionId } }) =>
            !gone.has(interactionId) && !gone.has(sessionId),
        );
        for (const { interaction } of left) {
          this.#add(interaction.sessionId, interaction.interactionId, interaction);
        }
      }
    } finally {
      this.#gone = undefined;
    }
  }

  #add(
    sessionId: string,
    interactionId: string,
    { kind, startedAt }: Pick<Interaction, "kind" | "startedAt">,
  ): void {
    this.#gone?.delete(interactionId);
    const ofSession = this.#entries.get(sessionId) ?? new Map<string, Entry>();
    this.#entries.set(sessionId, ofSession);
    ofSession.set(interactionId, { kind, startedAtMs: Date.parse(startedAt) });
  }

  #remove(sessionId: string, interactionId: string): void {
    this.#gone?.add(interactionId);
    const ofSession = this.#entries.get(sessionId);
    ofSession?.delete(interactionId);
    if (ofSession?.size === 0) this.#entries.delete(sessionId);
  }

  #count(): ReadonlyMap<InteractionKind, PendingFigures> {
    const figures = new Map<InteractionKind, PendingFigures>();
    for (const { kind, startedAtMs } of this.#all()) {
      const { count, oldestAtMs = startedAtMs } = figures.get(kind) ?? { count: 0 };
      figures.set(kind, { count: count + 1, oldestAtMs: Math.min(oldestAtMs, startedAtMs) });
    }
    return figures;
  }

  *#all(): Iterable<Entry> {
    for (const ofSession of this.#entries.values()) yield* ofSession.values();
  }
}
