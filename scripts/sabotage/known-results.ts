import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Bug } from "./bug.ts";
import { findTestFiles } from "./find-test-files.ts";

/** Titles of tests, by a hash of what was run. */
type Known = Record<string, readonly string[]>;

/** What earlier runs have found out, in a file: a bug is planted again only when it, its file or its tests have changed. */
export class KnownResults {
  readonly #root: string;
  readonly #path: string;
  readonly #known: Known;
  /** By what the files were when they were first asked for: somebody may edit them during a run. */
  readonly #keys = new Map<Bug, string>();

  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, "node_modules/.cache/sabotage.json");
    this.#known = read(this.#path);
  }

  /** The tests that noticed the bug, if that is known. */
  find(bug: Bug): readonly string[] | undefined {
    return this.#known[this.#keyOf(bug)];
  }

  save(bug: Bug, noticedBy: readonly string[]): void {
    this.#known[this.#keyOf(bug)] = noticedBy;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(this.#known));
  }

  #keyOf(bug: Bug): string {
    const key = this.#keys.get(bug) ?? this.#hash(bug);
    this.#keys.set(bug, key);
    return key;
  }

  #hash(bug: Bug): string {
    const hash = createHash("sha256").update(JSON.stringify(bug));
    for (const path of [bug.file, ...findTestFiles(this.#root, bug)]) {
      hash.update(`\0${path}\0`).update(readFileSync(join(this.#root, path)));
    }
    return hash.digest("hex");
  }
}

function read(path: string): Known {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Known;
  } catch {
    return {}; // the first run
  }
}
