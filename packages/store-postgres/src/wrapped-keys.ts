import type { KeyFolder, ValueKeys } from "@holdpoint/store-sqlite/rows";

import { seal, unseal } from "./seal.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * Keys of sensitive values that every node can read: the id of each is the key itself, sealed with the key of all nodes, so that
 * it stands in the row and goes with it. Those that were made before there were several nodes are in the folder of one of them.
 */
export class WrappedKeys implements ValueKeys {
  readonly #key: Uint8Array;
  readonly #folder: KeyFolder;

  constructor(key: Uint8Array, folder: KeyFolder) {
    this.#key = key;
    this.#folder = folder;
  }

  /** Of the folder's nothing is ended here: it may belong to a row that only another node has seen. */
  get ids(): ReadonlySet<string> {
    return NONE;
  }

  idFor(key: Buffer): string {
    return seal(this.#key, key);
  }

  add(): void {}

  read(id: string): Buffer | undefined {
    return this.#folder.ids.has(id) ? this.#folder.read(id) : unseal(this.#key, id);
  }

  end(id: string): void {
    this.#folder.end(id);
  }
}
