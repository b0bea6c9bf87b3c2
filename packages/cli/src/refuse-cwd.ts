import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { UsageError } from "./usage-error.ts";

/** Rejects with `UsageError` where agents may not work in the directory that the settings name for them. */
export async function assertUsableCwd(settings: {
  readonly cwd: string;
  readonly dataDir: string;
}): Promise<void> {
  const unusable = await refuseCwd(settings.cwd, settings.dataDir);
  if (unusable === undefined) return;
  throw new UsageError(`${settings.cwd}: ${unusable} Choose another with --cwd.`);
}

/**
 * Says why agents may not work in a directory: it must be absolute, exist, and lie outside the data folder, whose
 * files hold the answers and the hashes of the tokens.
 */
export async function refuseCwd(cwd: string, dataDir: string): Promise<string | undefined> {
  if (!isAbsolute(cwd)) return "The directory must be an absolute path.";
  const real = await realpath(cwd).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) return "There is no such directory.";
  const isReadable = await Promise.all([readdir(real), stat(join(real, "."))]).then(
    () => true,
    () => false,
  );
  if (!isReadable) return "The directory cannot be read.";
  const path = relative(await realpath(dataDir), real);
  const isOutside = path.split(sep)[0] === ".." || isAbsolute(path);
  return !isOutside ? "Agents may not work inside the gateway's data folder." : undefined;
}
