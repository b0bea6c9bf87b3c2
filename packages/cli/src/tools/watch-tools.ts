import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";

/** Editors write a file in several steps. */
const QUIET_MS = 100;

export interface WatchToolsOptions {
  /** The folder that the config file is in. */
  readonly folder: string;
  readonly configName: string;
  readonly clock: Clock;
  /** Called after a change, never twice at a time. */
  readonly onChange: () => Promise<void>;
}

/** Watches the config file and the folder `tools` beside it, which may come and go, until it is disposed. */
export function watchTools({ folder, configName, clock, onChange }: WatchToolsOptions): Disposable {
  let inFolder: FSWatcher | undefined;
  let timer: Disposable | undefined;
  let running = Promise.resolve();
  let isClosed = false;
  const schedule = (): void => {
    if (isClosed) return;
    timer?.[Symbol.dispose]();
    timer = clock.schedule(clock.now() + QUIET_MS, () => {
      running = running.then(() => (isClosed ? undefined : onChange()));
    });
  };
  const watchFolder = (): void => {
    inFolder?.close();
    inFolder = tryWatch(join(folder, "tools"), schedule);
  };
  const beside = tryWatch(folder, (name) => {
    if (name === "tools") watchFolder();
    if (name === null || name === "tools" || name === configName) schedule();
  });
  watchFolder();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      timer?.[Symbol.dispose]();
      inFolder?.close();
      beside?.close();
    },
  };
}

/** `undefined` where there is no such folder. */
function tryWatch(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => onChange(name));
    // The folder has gone; the one above it tells when it is back.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // there is none yet
  }
}
