import {
  constants,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

import { type Bug, plant } from "./bug.ts";

const LEFT_OUT = new Set(["node_modules", ".git", "dist"]);
const OWN_SCOPE = "@holdpoint";
const PREFIX = "holdpoint-sabotage-";

/**
 * A copy of the working tree in which bugs can be planted. It has separate copies of the tree's own packages and
 * shares all others.
 */
export class ScratchCopy implements Disposable {
  readonly path: string;

  constructor(root: string) {
    removeLeftovers();
    this.path = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
    const isCopied = (source: string) => !LEFT_OUT.has(basename(source));
    for (const name of readdirSync(root).filter((entry) => !LEFT_OUT.has(entry))) {
      cpSync(join(root, name), join(this.path, name), {
        recursive: true,
        filter: isCopied,
        mode: constants.COPYFILE_FICLONE, // copy on write, if the disk supports it
      });
    }
    this.#linkModules(root, "node_modules");
    for (const name of list(join(root, "packages"))) {
      this.#linkModules(root, join("packages", name, "node_modules"));
    }
  }

  /** Plants the bug until the result is disposed. */
  plant(bug: Bug): Disposable & { readonly root: string } {
    const file = join(this.path, bug.file);
    const source = readFileSync(file, "utf8");
    writeFileSync(file, plant(bug, source));
    return { root: this.path, [Symbol.dispose]: () => writeFileSync(file, source) };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Links the modules in the folder. Links to the tree's own packages point into the copy. */
  #linkModules(root: string, folder: string): void {
    const source = join(root, folder);
    const target = join(this.path, folder);
    const names = list(source);
    if (names.length === 0) return;
    mkdirSync(target, { recursive: true });
    const isShared = (name: string) => !name.startsWith(".") || name === ".bin";
    for (const name of names.filter(isShared)) {
      if (name === OWN_SCOPE) this.#linkOwn(root, target);
      else symlinkSync(join(source, name), join(target, name));
    }
  }

  #linkOwn(root: string, target: string): void {
    mkdirSync(join(target, OWN_SCOPE));
    for (const name of readdirSync(join(root, "packages"))) {
      const own = join(this.path, "packages", name);
      symlinkSync(relative(join(target, OWN_SCOPE), own), join(target, OWN_SCOPE, name));
    }
  }
}

/** Removes the copies of killed runs. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number.parseInt(name.slice(PREFIX.length), 10);
    if (!Number.isNaN(pid) && !isRunning(pid)) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error: unknown) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // most packages have no separate modules
  }
}
