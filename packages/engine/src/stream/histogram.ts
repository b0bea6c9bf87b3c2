/** Counts of values by upper bound. The last count is for all larger values. */
export interface HistogramFigures {
  readonly bounds: readonly number[];
  /** One for each bound, and one for values above the last. Each value is counted once. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` must be in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const place = index === -1 ? this.#bounds.length : index;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += value;
  }

  get figures(): HistogramFigures {
    return { bounds: this.#bounds, counts: [...this.#counts], sum: this.#sum };
  }
}
