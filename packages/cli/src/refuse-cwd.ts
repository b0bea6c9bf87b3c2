import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/**
 * Says why agents may not work in a directory: it must be absolute, exist, and lie outside the data folder, whose
 * files hold the answers and the hashes of the tokens.
 */
export async function refuseCwd(cwd: string, dataDir: string): Promise<string | undefined> {
  if (!isAbsolute(cwd)) return "The directory must be an absolute path.";
  const real = await realpath(cwd).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) return "There is no such directory.";
  const path = relative(await realpath(dataDir), real);
  const isOutside = path.split(sep)[0] === ".." || isAbsolute(path);
  return !isOutside ? "Agents may not work inside the gateway's data folder." : undefined;
}
