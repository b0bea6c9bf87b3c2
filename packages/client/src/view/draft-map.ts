/** A map under change. The map that it began with stays as it is: the first change copies it. */
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

  /** A key that is there keeps its place; another one goes to the end. */
  set(key: TKey, value: TValue): void {
    (this.#own ??= new Map(this.#base)).set(key, value);
  }

  delete(key: TKey): void {
    if (this.has(key)) (this.#own ??= new Map(this.#base)).delete(key);
  }

  /** The map after the changes; the same one as before when there was none. To be read, not changed. */
  close(): ReadonlyMap<TKey, TValue> {
    return this.#own ?? this.#base;
  }
}
