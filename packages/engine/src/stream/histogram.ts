/** How often a value was at most so large; the last count has the rest as well. */
export interface HistogramFigures {
  readonly bounds: readonly number[];
  /** One for each bound, and one for what is above the last: each counts its own values only. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` are in rising order. */
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
