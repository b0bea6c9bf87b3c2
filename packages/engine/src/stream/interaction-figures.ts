import type {
  Delivery,
  Interaction,
  InteractionKind,
  InteractionStatus,
} from "@holdpoint/protocol";

import type { Store } from "../ports/store.ts";
import { Histogram, type HistogramFigures } from "./histogram.ts";
import { PendingBook, type PendingFigures } from "./pending-book.ts";

/** Upper bounds for counting response times: from a second to three days. */
export const ANSWER_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600, 72 * 3600];

/** An event in the life of an interaction; `asked`: it was opened. */
export type Happening = "asked" | Exclude<InteractionStatus, "pending"> | "reopened";

export interface HappeningCount {
  readonly kind: InteractionKind;
  readonly happening: Happening;
  readonly count: number;
}

/** Counts since this process began, except for the pending ones. They contain nothing from requests or answers. */
export interface InteractionNumbers {
  readonly pending: ReadonlyMap<InteractionKind, PendingFigures>;
  readonly happened: readonly HappeningCount[];
  readonly delivered: ReadonlyMap<Delivery, number>;
  /** Seconds from the request to its response. */
  readonly answerSeconds: HistogramFigures;
}

/** Counts the events in the lives of interactions. */
export class InteractionFigures {
  readonly #pending = new PendingBook();
  readonly #happened = new Map<InteractionKind, Map<Happening, number>>();
  readonly #delivered = new Map<Delivery, number>();
  readonly #answerSeconds = new Histogram(ANSWER_SECONDS);

  /** Records a written interaction. `before`: its previous status; `undefined` for a new one. */
  changed(interaction: Interaction, before: InteractionStatus | undefined): void {
    this.#pending.changed(interaction);
    const { status, kind, how } = interaction;
    if (status === before) return;
    this.#count(kind, toHappening(status, before));
    if (status === "answered") this.#noteAnswer(interaction);
    if (status === "delivered" && how) {
      this.#delivered.set(how, (this.#delivered.get(how) ?? 0) + 1);
    }
  }

  sessionDeleted(sessionId: string): void {
    this.#pending.sessionDeleted(sessionId);
  }

  /** Rejects when the store cannot be read. */
  async read(store: Pick<Store, "listInteractions">): Promise<InteractionNumbers> {
    const pending = await this.#pending.read(store);
    return {
      pending,
      happened: [...this.#happened].flatMap(([kind, counts]) =>
        [...counts].map(([happening, count]) => ({ kind, happening, count })),
      ),
      delivered: new Map(this.#delivered),
      answerSeconds: this.#answerSeconds.figures,
    };
  }

  #count(kind: InteractionKind, happening: Happening): void {
    const counts = this.#happened.get(kind) ?? new Map<Happening, number>();
    this.#happened.set(kind, counts);
    counts.set(happening, (counts.get(happening) ?? 0) + 1);
  }

  #noteAnswer({ startedAt, by }: Interaction): void {
    if (!by) return;
    this.#answerSeconds.add(Math.max(Date.parse(by.at) - Date.parse(startedAt), 0) / 1000);
  }
}

function toHappening(status: InteractionStatus, before: InteractionStatus | undefined): Happening {
  if (status !== "pending") return status;
  return before === undefined ? "asked" : "reopened";
}
