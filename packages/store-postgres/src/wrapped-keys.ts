import type { KeyFolder, ValueKeys } from "@holdpoint/store-sqlite/rows";
import { seal, unseal } from "@holdpoint/store-sqlite/seal";

const NONE: ReadonlySet<string> = new Set();

/**
 * Keys of sensitive values that every node can read: each key's id is the key itself, encrypted with the nodes' shared
 * key, so that it is stored in the row and deleted with it. Keys from before there were several nodes are in one node's
 * folder.
 */
export class WrappedKeys implements ValueKeys {
  readonly #key: Uint8Array;
  readonly #folder: KeyFolder;

  constructor(key: Uint8Array, folder: KeyFolder) {
    this.#key = key;
    this.#folder = folder;
  }

  /** Empty, so that no key of the folder is erased: it may belong to a row that only another node has seen. */
  get ids(): ReadonlySet<string> {
    return NONE;
  }

  idFor(key: Buffer): string {
    return seal(this.#key, key).toString("base64url");
  }

  add(): void {}

  read(id: string): Buffer | undefined {
    if (this.#folder.ids.has(id)) return this.#folder.read(id);
    return unseal(this.#key, Buffer.from(id, "base64url"));
  }

  end(id: string): void {
    this.#folder.end(id);
  }
}
