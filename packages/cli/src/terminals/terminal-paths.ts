import { join } from "node:path";

/** The socket through which hooks in terminals reach the gateway of a data folder. Only its user can open it. */
export function doorPath(dataDir: string): string {
  return join(dataDir, "terminal.sock");
}

/** The program that an adopted agent runs as its hook. It finds the socket beside it. */
export function hookPath(dataDir: string): string {
  return join(dataDir, "terminal-hook");
}

/** What has been adopted, and how the files were before. */
export function adoptionsPath(dataDir: string): string {
  return join(dataDir, "adopted.json");
}
