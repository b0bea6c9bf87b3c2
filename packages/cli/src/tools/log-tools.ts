import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import type { ToolLogEntry } from "@holdpoint/engine";
import type { Logger } from "pino";

export interface LogToolsOptions {
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Writes to the person's terminal, if their tools are being developed. */
  readonly say?: ((line: string) => void) | undefined;
  /** The base of the paths in messages. */
  readonly folder: string;
}

/** Logs the tools' own messages and errors. Errors are also shown in the terminal, with their place. */
export function logTools({ log, say, folder }: LogToolsOptions): (entry: ToolLogEntry) => void {
  return ({ level, message, stack: raw, ...about }) => {
    const stack = raw?.replaceAll(/\?version=\d{1,20}(?=:\d)/g, "");
    log[level]({ ...about, ...(stack !== undefined && { stack }) }, message);
    if (level !== "error" || say === undefined) return;
    const lines = stack === undefined ? [] : stack.split("\n");
    const place = lines.map((line) => placeIn(line, folder)).find((found) => found !== undefined);
    const where = place === undefined ? "" : ` (${place})`;
    say(`holdpoint: ${about.toolName} failed${where}: ${reasonOf(message)}`);
    for (const line of lines) say(line);
  };
}

/** The reason in a message: an error's result is JSON, and a handler's own message is any text. */
function reasonOf(message: string): string {
  try {
    const result = JSON.parse(message) as { code?: unknown; message?: unknown } | null;
    if (typeof result?.message === "string") return `${result.message} [${String(result.code)}]`;
  } catch {
    // Not JSON.
  }
  return message;
}

/** `file:line:column` of a stack line, if it is in one of the person's own files. */
function placeIn(line: string, folder: string): string | undefined {
  const end = /(:\d+:\d+)\)?$/.exec(line);
  const url = end && line.slice(line.lastIndexOf("file://", end.index), end.index);
  if (!url?.startsWith("file://") || /[\s()]/.test(url)) return undefined;
  const path = relative(folder, fileURLToPath(url));
  return path.startsWith("..") || path.includes("node_modules")
    ? undefined
    : `${path}${end?.[1] ?? ""}`;
}
