import { accessSync, constants } from "node:fs";
import { isAbsolute } from "node:path";

import type { AgentCommand } from "./host-protocol.ts";

/** Not every `setpriv` knows the option. The program keeps this process, and so its id and its streams. */
const SCRIPT = `
if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL -- "$@"; fi
exec "$@"
`;

/**
 * The command, so that the system kills it when the process that started it dies. This is for the case that a host and its
 * watchdogs are killed at once. It comes a moment after the end of the agent's input, so the watchdogs are better. Only
 * Linux can do it; elsewhere, and for a program that would not start, the command stays as it is.
 */
export function dieWithParent(command: AgentCommand): AgentCommand {
  if (process.platform !== "linux" || !canStart(command.command)) return command;
  return {
    ...command,
    command: "/bin/sh",
    args: ["-c", SCRIPT, "sh", command.command, ...command.args],
  };
}

/** A name without a folder is looked for by whoever starts it, who then says better that it is not there. */
function canStart(program: string): boolean {
  if (!isAbsolute(program)) return false;
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
