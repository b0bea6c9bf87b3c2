/** A changeable version of a map. The first change copies the base map, which is never modified. */
export class DraftMap<TKey, TValue> {
  readonly #base: ReadonlyMap<TKey, TValue>;
  #own: Map<TKey, TValue> | undefined;

  constructor(base: ReadonlyMap<TKey, TValue>) {
    this.#base = base;
  }

  get(key: TKey): TValue | undefined {
    return this.close().get(key);
  }

  has(key: TKey): boolean {
    return this.close().has(key);
  }

  /** An existing key keeps its position; a new key goes to the end. */
  set(key: TKey, value: TValue): void {
    (this.#own ??= new Map(this.#base)).set(key, value);
  }

  delete(key: TKey): void {
    if (this.has(key)) (this.#own ??= new Map(this.#base)).delete(key);
  }

  /** Returns the map after the changes, or the base map if there are none. Do not modify it. */
  close(): ReadonlyMap<TKey, TValue> {
    return this.#own ?? this.#base;
  }
}
