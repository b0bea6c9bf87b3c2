import { saying, type Told } from "@holdpoint/protocol";

import { invalidRequest } from "../lib/errors.ts";

export interface AllowedCwdParts {
  readonly defaultCwd: string;
  /** Resolves to the reason why a directory is refused to agents, or `undefined` if it is allowed. */
  readonly refuseCwd: (cwd: string) => Promise<Told | undefined>;
}

/** Rejects with `INVALID_REQUEST` for a directory in which agents may not work. */
export async function assertAllowedCwd(
  { refuseCwd }: Pick<AllowedCwdParts, "refuseCwd">,
  cwd: string,
): Promise<void> {
  const isAbsolute = /^(?:\/|[a-zA-Z]:[\\/]|\\\\)/.test(cwd);
  const problem = isAbsolute ? await refuseCwd(cwd) : saying("folder_not_absolute");
  if (problem !== undefined) throw invalidRequest("cwd", problem);
}
