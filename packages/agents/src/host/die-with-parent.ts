import { accessSync, constants } from "node:fs";
import { isAbsolute } from "node:path";

import type { AgentCommand } from "./host-protocol.ts";

/** Not every `setpriv` knows the option. `exec` keeps the process, and so its id and its streams. */
const SCRIPT = `
if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL -- "$@"; fi
exec "$@"
`;

/**
 * Wraps the command so that the system kills it when the process that started it dies. This covers the case that a host
 * and its watchdogs are killed at once. The kill comes a moment after the end of the agent's input, so the watchdogs
 * are preferable. Works on Linux only; elsewhere, and for a program that would not start, the command is returned
 * unchanged.
 */
export function dieWithParent(command: AgentCommand): AgentCommand {
  if (process.platform !== "linux" || !canStart(command.command)) return command;
  return {
    ...command,
    command: "/bin/sh",
    args: ["-c", SCRIPT, "sh", command.command, ...command.args],
  };
}

/** False for a name without a folder: its error is clearer from the process that looks it up. */
function canStart(program: string): boolean {
  if (!isAbsolute(program)) return false;
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
