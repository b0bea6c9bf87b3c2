import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import type { ToolLogEntry } from "@holdpoint/engine";
import type { Logger } from "pino";

export interface LogToolsOptions {
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** The person's terminal, where their own tools are being worked on. */
  readonly say?: ((line: string) => void) | undefined;
  /** What the places that are said are relative to. */
  readonly folder: string;
}

/** Writes what tools log, and with which error they ended, to the log; and where that was, to the terminal. */
export function logTools({ log, say, folder }: LogToolsOptions): (entry: ToolLogEntry) => void {
  return ({ level, message, stack: raw, ...about }) => {
    const stack = raw?.replaceAll(/\?version=\d+(?=:\d)/g, "");
    log[level]({ ...about, ...(stack !== undefined && { stack }) }, message);
    if (level !== "error" || say === undefined) return;
    const lines = stack === undefined ? [] : stack.split("\n");
    const place = lines.map((line) => placeIn(line, folder)).find((found) => found !== undefined);
    const where = place === undefined ? "" : ` (${place})`;
    say(`holdpoint: ${about.toolName} failed${where}: ${reasonOf(message)}`);
    for (const line of lines) say(line);
  };
}

/** A result of an error is JSON; what a handler logs itself is any text. */
function reasonOf(message: string): string {
  try {
    const result = JSON.parse(message) as { code?: unknown; message?: unknown } | null;
    if (typeof result?.message === "string") return `${result.message} [${String(result.code)}]`;
  } catch {
    // It is a text.
  }
  return message;
}

/** `file:line:column` of a line of a stack that is in one of the person's own files. */
function placeIn(line: string, folder: string): string | undefined {
  const [, url = "", at = ""] = /(file:\/\/[^\s()]+?)(:\d+:\d+)\)?$/.exec(line) ?? [];
  if (url === "") return undefined;
  const path = relative(folder, fileURLToPath(url));
  return path.startsWith("..") || path.includes("node_modules") ? undefined : `${path}${at}`;
}
