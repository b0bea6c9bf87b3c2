import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";

import type { Clock } from "@holdpoint/engine";

/** Editors write a file in several steps. */
const QUIET_MS = 100;

export interface WatchToolsOptions {
  /** The folder of the config file. */
  readonly folder: string;
  /** Possible names of a config file in it. */
  readonly configNames: readonly string[];
  /** Other files to watch; called again after each change. */
  readonly listFiles: () => Iterable<string>;
  readonly clock: Clock;
  /** Called after a change; never called again before its promise settles. */
  readonly onChange: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the config file, the folder `tools` next to it, which may come and go, and the files that these import, until
 * disposed.
 */
export function watchTools({
  folder,
  configNames,
  listFiles,
  clock,
  onChange,
  onError,
}: WatchToolsOptions): Disposable {
  let inFolder: FSWatcher | undefined;
  let timer: Disposable | undefined;
  let running = Promise.resolve();
  let isClosed = false;
  const schedule = (): void => {
    if (isClosed) return;
    timer?.[Symbol.dispose]();
    timer = clock.after(QUIET_MS, () => {
      running = running.then(async () => {
        if (isClosed) return;
        // Later changes are noticed even if this one fails.
        await onChange().catch(onError);
        if (!isClosed) watchImports();
      });
    });
  };
  const watchFolder = (): void => {
    inFolder?.close();
    inFolder = tryWatch(join(folder, "tools"), schedule);
  };
  let besideImports: readonly FSWatcher[] = [];
  const watchImports = (): void => {
    const before = besideImports;
    const files = new Set(listFiles());
    const folders = new Set([...files].map((file) => dirname(file)));
    besideImports = [...folders].flatMap((at) => {
      const isOneOf = (name: string | null): boolean => name === null || files.has(join(at, name));
      return tryWatch(at, (name) => (isOneOf(name) ? schedule() : undefined)) ?? [];
    });
    for (const watcher of before) watcher.close();
  };
  const beside = tryWatch(folder, (name) => {
    if (name === "tools") watchFolder();
    if (name === null || name === "tools" || configNames.includes(name)) schedule();
  });
  watchFolder();
  watchImports();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      timer?.[Symbol.dispose]();
      inFolder?.close();
      beside?.close();
      for (const watcher of besideImports) watcher.close();
    },
  };
}

/** `undefined` if there is no such folder. */
function tryWatch(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => onChange(name));
    // The folder was deleted. Its parent's watcher notices when it is back.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // no such folder yet
  }
}
