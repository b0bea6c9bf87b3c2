import { stat } from "node:fs/promises";

import type { TurnResult } from "@holdpoint/engine";

interface StartPlace {
  readonly cwd: string;
  /** Default: the program that comes with the SDK. */
  readonly executable?: string | undefined;
}

/** Adds the cause of an agent's crash to its result, as far as the machine's files show it. Never rejects. */
export async function withCause(
  result: TurnResult,
  { cwd, executable }: StartPlace,
): Promise<TurnResult> {
  if (result.reason !== "error" || result.code !== "AGENT_CRASHED") return result;
  if (!(await isThere(cwd, "directory"))) {
    return { ...result, code: "AGENT_CWD_GONE", message: `There is no directory ${cwd}.` };
  }
  if (executable !== undefined && !(await isThere(executable, "file"))) {
    return { ...result, code: "AGENT_NOT_INSTALLED", message: `There is no file ${executable}.` };
  }
  return result;
}

async function isThere(path: string, kind: "directory" | "file"): Promise<boolean> {
  return stat(path).then(
    (found) => (kind === "file" ? found.isFile() : found.isDirectory()),
    () => false,
  );
}
