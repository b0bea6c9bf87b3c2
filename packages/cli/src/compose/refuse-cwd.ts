import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { inEnglish, type Saying, saying } from "@holdpoint/protocol";

import { UsageError } from "../usage-error.ts";

/** Rejects with `UsageError` if agents may not work in the directory from the settings. */
export async function assertUsableCwd(settings: {
  readonly cwd: string;
  readonly dataDir: string;
}): Promise<void> {
  const unusable = await refuseCwd(settings.cwd, settings.dataDir);
  if (unusable === undefined) return;
  throw new UsageError(`${settings.cwd}: ${inEnglish(unusable)} Choose another with --cwd.`);
}

/**
 * Why agents may not work in a directory; `undefined` if they may. The directory must be absolute and exist. It must
 * neither be in the data folder, whose files hold the answers and the secrets of the gateway, nor contain it.
 */
export async function refuseCwd(cwd: string, dataDir: string): Promise<Saying | undefined> {
  if (!isAbsolute(cwd)) return saying("folder_not_absolute");
  const real = await realpath(cwd).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) return saying("folder_missing");
  const isReadable = await Promise.all([readdir(real), stat(join(real, "."))]).then(
    () => true,
    () => false,
  );
  if (!isReadable) return saying("folder_unreadable");
  const realDataDir = await realpath(dataDir);
  if (isWithin(real, realDataDir)) return saying("folder_in_data");
  if (!isWithin(realDataDir, real)) return undefined;
  return saying("folder_around_data", { path: dataDir });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}
