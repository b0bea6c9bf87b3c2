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
 * Keys in separate files outside the database: SQLite copies database contents into its log and into backups, but a key
 * must be erasable. Every method finishes its disk writes before it returns, and throws Node's error when the disk
 * fails.
 */
export class KeyFolder implements ValueKeys {
  readonly #path: string;
  readonly #ids: Set<string>;

  /** Creates the folder if it is missing. Only its owner can read it. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (isPosix) chmodSync(path, 0o700);
    const names = readdirSync(path).filter((name) => name.endsWith(SUFFIX));
    this.#ids = new Set(names.map((name) => name.slice(0, -SUFFIX.length)));
  }

  /** Keys that were not erased. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Returns a random id, which reveals nothing about the key. */
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

  /** Returns `undefined` for a key that was erased or never completely written. */
  read(id: string): Buffer | undefined {
    if (!this.#ids.has(id)) return undefined;
    const key = readFileSync(this.#fileOf(id));
    return key.length === KEY_BYTES ? key : undefined;
  }

  /** Overwrites the key before deleting its file, because deleted files can be recovered. */
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

  /** Makes created or deleted names survive a power loss. Not supported on Windows. */
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
