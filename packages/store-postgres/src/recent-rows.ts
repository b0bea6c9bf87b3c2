const MAX_ROWS = 1024;
/** In UTF-16 units. */
const MAX_UNITS = 2 * 1024 * 1024;

/** Rows by their keys. When there are too many rows or too much text, the oldest are removed. */
export class RecentRows<TRow extends object> {
  readonly #rows = new Map<string, TRow>();
  readonly #unitsOf: (row: TRow) => number;
  #units = 0;

  constructor(unitsOf: (row: TRow) => number) {
    this.#unitsOf = unitsOf;
  }

  get(key: string): TRow | undefined {
    return this.#rows.get(key);
  }

  [Symbol.iterator](): MapIterator<[key: string, row: TRow]> {
    return this.#rows.entries();
  }

  /** Adds a row as the newest. */
  set(key: string, row: TRow): void {
    this.delete(key);
    const units = this.#unitsOf(row);
    if (units > MAX_UNITS) return;
    this.#rows.set(key, row);
    this.#units += units;
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= MAX_ROWS && this.#units <= MAX_UNITS) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#units -= this.#unitsOf(row);
    this.#rows.delete(key);
  }
}
