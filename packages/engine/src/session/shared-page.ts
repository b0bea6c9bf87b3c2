import type { PlacedText } from "./event-tail.ts";

type Page = readonly PlacedText[];

/**
 * The page of a log that was read last, for all followers that are equally far behind: a hundred slow followers read
 * and keep one copy. It exists only as long as one of them uses it.
 */
export class SharedPage {
  #loading: { readonly after: number; readonly page: Promise<Page> } | undefined;
  #last: WeakRef<Page> | undefined;

  /** The events after `after`. `load` reads them from the store. If it rejects, so do all calls that wait for it. */
  async read(after: number, load: () => Promise<Page>): Promise<Page> {
    const known = this.#known(after);
    if (known) return known;
    if (this.#loading?.after === after) return this.#loading.page;
    const loading = { after, page: load() };
    this.#loading = loading;
    try {
      const page = await loading.page;
      this.#last = new WeakRef(page);
      return page;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  #known(after: number): Page | undefined {
    const last = this.#last?.deref();
    const first = last?.[0];
    if (!last || !first || first.seq > after + 1) return undefined;
    const rest = first.seq === after + 1 ? last : last.slice(after + 1 - first.seq);
    return rest.length > 0 ? rest : undefined;
  }
}
