import { DraftMap } from "./draft-map.ts";
import type { ViewItem } from "./session-view.ts";

/** The items of a log by key, in order. They are split into pages so that changing an item copies only one page. */
export type ItemPages = readonly ReadonlyMap<string, ViewItem>[];

/** The capacity of a page. In a long log, a page may hold half of all items, so that there are only a few pages. */
const PAGE_SIZE = 2048;

/** A changeable version of the items. The base pages are never modified. */
export class ItemPagesDraft {
  readonly #base: ItemPages;
  readonly #pages: DraftMap<string, ViewItem>[];
  #count: number;

  constructor(base: ItemPages) {
    this.#base = base;
    this.#pages = base.map((page) => new DraftMap(page));
    this.#count = base.reduce((sum, { size }) => sum + size, 0);
  }

  has(key: string): boolean {
    return this.#pageOf(key) !== undefined;
  }

  get(key: string): ViewItem | undefined {
    return this.#pageOf(key)?.get(key);
  }

  /** Adds an item with a new key at the end. */
  append(item: ViewItem): void {
    const last = this.#pages.at(-1);
    const hasRoom = last && last.close().size < Math.max(PAGE_SIZE, this.#count / 2);
    const page = hasRoom ? last : new DraftMap<string, ViewItem>(new Map());
    if (page !== last) this.#pages.push(page);
    page.set(item.key, item);
    this.#count += 1;
  }

  /** Replaces the item with the same key. */
  replace(item: ViewItem): void {
    this.#pageOf(item.key)?.set(item.key, item);
  }

  delete(key: string): void {
    const page = this.#pageOf(key);
    if (!page) return;
    page.delete(key);
    this.#count -= 1;
  }

  /** Returns the pages after the changes, or the base pages if there are none. */
  close(): ItemPages {
    const pages = this.#pages.map((page) => page.close());
    const isSame = pages.length === this.#base.length;
    return isSame && pages.every((page, index) => page === this.#base[index]) ? this.#base : pages;
  }

  #pageOf(key: string): DraftMap<string, ViewItem> | undefined {
    return this.#pages.findLast((page) => page.has(key));
  }
}

/** Returns all items in order. */
export function toItems(pages: ItemPages): ViewItem[] {
  return pages.flatMap((page) => [...page.values()]);
}
