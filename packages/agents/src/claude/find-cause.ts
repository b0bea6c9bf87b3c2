import { stat } from "node:fs/promises";

import type { TurnResult } from "@holdpoint/engine";

interface StartPlace {
  readonly cwd: string;
  /** Absent: the program that came with the SDK. */
  readonly executable?: string | undefined;
}

/** The result of an agent that did not live, with the cause that the machine's files show. Never rejects. */
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
