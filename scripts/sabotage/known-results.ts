import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Bug } from "./bug.ts";
import { isNoticed } from "./describe-results.ts";
import { findTestFiles, findTitleFiles } from "./find-test-files.ts";

interface Known {
  /** `FILE > TITLE` of each test that noticed. */
  readonly noticedBy: readonly string[];
  /** By path: a hash of each file that the result depends on. */
  readonly hashes: Readonly<Record<string, string>>;
}

/**
 * The results of earlier runs, in a file. A result is valid while the bug, its file and the tests that noticed are
 * unchanged; a result with too few tests is valid only while all of the bug's tests are unchanged.
 */
export class KnownResults {
  readonly #root: string;
  readonly #path: string;
  /** By path: the hashes of the files when they were first read. Someone may edit them during a run. */
  readonly #hashes = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, "node_modules/.cache/sabotage.json");
  }

  /** The tests that noticed the bug, if known. */
  find(bug: Bug): readonly string[] | undefined {
    const paths = this.#pathsOf(bug, findTestFiles(this.#root, bug));
    for (const path of paths) this.#hashOf(path);
    const known = this.#read()[keyOf(bug)];
    if (known === undefined) return undefined;
    const hasAll = isNoticed(known) || paths.every((path) => path in known.hashes);
    const isSame = ([path, hash]: [string, string]) => this.#hashOf(path) === hash;
    return hasAll && Object.entries(known.hashes).every(isSame) ? known.noticedBy : undefined;
  }

  save(bug: Bug, noticedBy: readonly string[]): void {
    const noticing = noticedBy.map((title) => title.split(" > ", 1)[0] ?? "");
    const files = isNoticed({ noticedBy }) ? noticing : findTestFiles(this.#root, bug);
    const paths = this.#pathsOf(bug, [...new Set(files)]);
    const hashes = Object.fromEntries(paths.map((path) => [path, this.#hashOf(path)]));
    this.#write({ ...this.#read(), [keyOf(bug)]: { noticedBy, hashes } });
  }

  #pathsOf(bug: Bug, files: readonly string[]): readonly string[] {
    return [bug.file, ...findTitleFiles(this.#root, bug.rule, files)];
  }

  #hashOf(path: string): string {
    const file = join(this.#root, path);
    const hash = this.#hashes.get(path) ?? (existsSync(file) ? sha256(readFileSync(file)) : "gone");
    this.#hashes.set(path, hash);
    return hash;
  }

  /** Read each time, because another run may have added to it. */
  #read(): Readonly<Record<string, Known>> {
    try {
      return JSON.parse(readFileSync(this.#path, "utf8")) as Readonly<Record<string, Known>>;
    } catch {
      return {}; // the first run
    }
  }

  #write(known: Readonly<Record<string, Known>>): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    const written = `${this.#path}.${process.pid}`;
    writeFileSync(written, JSON.stringify(known));
    renameSync(written, this.#path);
  }
}

function keyOf(bug: Bug): string {
  return sha256(JSON.stringify(bug));
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
