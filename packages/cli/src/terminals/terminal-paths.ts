import { join } from "node:path";

/** The socket through which hooks in terminals reach the gateway of a data folder. Only its user can open it. */
export function doorPath(dataDir: string): string {
  return join(dataDir, "terminal.sock");
}

/** The program that an adopted agent runs as its hook. It expects the socket next to itself. */
export function hookPath(dataDir: string): string {
  return join(dataDir, "terminal-hook");
}

/** The record of adopted files and their previous content. */
export function adoptionsPath(dataDir: string): string {
  return join(dataDir, "adopted.json");
}
