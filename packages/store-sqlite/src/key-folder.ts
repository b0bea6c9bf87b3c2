import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

import type { ValueKeys } from "./sealed-values.ts";

const SUFFIX = ".key";
const KEY_BYTES = 32;
const ID_BYTES = 16;
const isPosix = process.platform !== "win32";

/**
 * Keys in files of their own, outside of the database: SQLite copies what is in a database into its log and into backups,
 * and a key must be able to end. Every method has finished with the disk before it returns, and throws the error of Node
 * when the disk refuses.
 */
export class KeyFolder implements ValueKeys {
  /** There was no such folder before. */
  readonly isNew: boolean;
  readonly #path: string;
  readonly #ids: Set<string>;

  /** Makes the folder if it is missing. Only its owner can read it. */
  constructor(path: string) {
    this.#path = path;
    this.isNew = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
    if (isPosix) chmodSync(path, 0o700);
    const names = readdirSync(path).filter((name) => name.endsWith(SUFFIX));
    this.#ids = new Set(names.map((name) => name.slice(0, -SUFFIX.length)));
  }

  /** Keys that were not ended. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Says nothing of the key. */
  idFor(): string {
    return randomBytes(ID_BYTES).toString("hex");
  }

  add(id: string, key: Buffer): void {
    const file = openSync(this.#fileOf(id), "wx", 0o600);
    this.#ids.add(id);
    try {
      writeSync(file, key);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#sync();
  }

  /** `undefined` for one that has ended, or that was never written whole. */
  read(id: string): Buffer | undefined {
    if (!this.#ids.has(id)) return undefined;
    const key = readFileSync(this.#fileOf(id));
    return key.length === KEY_BYTES ? key : undefined;
  }

  /** Writes over the key before its file goes: a deleted file alone can be brought back. */
  end(id: string): void {
    if (!this.#ids.has(id)) return;
    const path = this.#fileOf(id);
    const file = openSync(path, "r+");
    try {
      writeSync(file, randomBytes(KEY_BYTES), 0, KEY_BYTES, 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    rmSync(path);
    this.#ids.delete(id);
    this.#sync();
  }

  #fileOf(id: string): string {
    return join(this.#path, `${id}${SUFFIX}`);
  }

  /** Makes sure that a name which came or went does so after power loss, too. Windows knows no such thing. */
  #sync(): void {
    if (!isPosix) return;
    const folder = openSync(this.#path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}
