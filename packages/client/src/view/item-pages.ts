import { DraftMap } from "./draft-map.ts";
import type { ViewItem } from "./session-view.ts";

/** The items of a log by key, in order, in pages: to change one item copies one page only. */
export type ItemPages = readonly ReadonlyMap<string, ViewItem>[];

/** A page may always hold so many items, and in a long log half as many as all pages: so there are never many pages. */
const PAGE_SIZE = 2048;

/** Items under change. The pages that it began with stay as they are. */
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

  /** Puts an item with a new key at the end. */
  append(item: ViewItem): void {
    const last = this.#pages.at(-1);
    const hasRoom = last && last.close().size < Math.max(PAGE_SIZE, this.#count / 2);
    const page = hasRoom ? last : new DraftMap<string, ViewItem>(new Map());
    if (page !== last) this.#pages.push(page);
    page.set(item.key, item);
    this.#count += 1;
  }

  /** Puts an item where the one with its key is. */
  replace(item: ViewItem): void {
    this.#pageOf(item.key)?.set(item.key, item);
  }

  delete(key: string): void {
    const page = this.#pageOf(key);
    if (!page) return;
    page.delete(key);
    this.#count -= 1;
  }

  /** The pages after the changes; the same ones as before when there was none. */
  close(): ItemPages {
    const pages = this.#pages.map((page) => page.close());
    const isSame = pages.length === this.#base.length;
    return isSame && pages.every((page, index) => page === this.#base[index]) ? this.#base : pages;
  }

  #pageOf(key: string): DraftMap<string, ViewItem> | undefined {
    return this.#pages.findLast((page) => page.has(key));
  }
}

/** All items in order. */
export function toItems(pages: ItemPages): ViewItem[] {
  return pages.flatMap((page) => [...page.values()]);
}
