export type RequestId = string | number;

/** The ids of one HTTP request. Each is in `open` until it is freed. */
export class OpenRequestIds implements Disposable {
  readonly #open: Set<RequestId>;
  readonly #ids: Set<RequestId>;

  private constructor(open: Set<RequestId>, ids: Set<RequestId>) {
    this.#open = open;
    this.#ids = ids;
    for (const id of ids) open.add(id);
  }

  /** `undefined`: one of the ids is already open, or occurs twice. */
  static take(open: Set<RequestId>, ids: readonly RequestId[]): OpenRequestIds | undefined {
    const own = new Set(ids);
    const isFree = own.size === ids.length && ids.every((id) => !open.has(id));
    return isFree ? new OpenRequestIds(open, own) : undefined;
  }

  /** The ids without a response. */
  get left(): ReadonlySet<RequestId> {
    return this.#ids;
  }

  /** Frees the id. Returns false if it was free already. */
  free(id: RequestId): boolean {
    if (!this.#ids.delete(id)) return false;
    return this.#open.delete(id);
  }

  [Symbol.dispose](): void {
    for (const id of this.#ids) this.free(id);
  }
}
