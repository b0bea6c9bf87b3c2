import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

import { readProgram } from "@holdpoint/agents";

import { UsageError } from "../usage-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The absolute path of a program in the search path; `undefined` if it is not there. */
export async function findProgram(name: string, env: Environment): Promise<string | undefined> {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    // A relative folder would mean a different one for each agent.
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** The curl for the hook. Rejects with `UsageError` if there is none that supports Unix sockets. */
export async function findCurl(env: Environment): Promise<string> {
  const path = await findProgram("curl", env);
  if (path !== undefined) {
    const said = await readProgram(path, ["--version"], { env }).catch(() => "");
    if (said.includes("UnixSockets")) return path;
  }
  throw new UsageError(
    "The hook needs the program curl with Unix sockets: install curl 7.50 or newer.",
  );
}
