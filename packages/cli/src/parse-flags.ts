import { parseArgs } from "node:util";

import { UsageError } from "./usage-error.ts";

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  "no-open": { type: "boolean" },
  "data-dir": { type: "string" },
  config: { type: "string" },
  cwd: { type: "string" },
  agent: { type: "string" },
  "embed-origin": { type: "string", multiple: true },
  watch: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export interface Flags {
  readonly port?: string;
  readonly host?: string;
  readonly "no-open"?: boolean;
  readonly "data-dir"?: string;
  readonly config?: string;
  readonly cwd?: string;
  readonly agent?: string;
  readonly "embed-origin"?: readonly string[];
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

/** Reads the command line. Throws `UsageError` for an unknown flag or command, or a flag without its value. */
export function parseFlags(args: readonly string[]): Flags {
  const { values, positionals } = parse(args);
  for (const [name, value] of Object.entries(values))
    if ([value].flat().includes("")) throw new UsageError(`--${name} needs a value.`);
  const [command = "start", ...rest] = positionals;
  if (command !== "start" || rest.length > 0) {
    const surplus = command === "start" ? rest[0] : command;
    throw new UsageError(
      `Unknown command "${surplus}". The one command is "start"; see holdpoint --help.`,
    );
  }
  return values;
}

function parse(args: readonly string[]): { values: Flags; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(". ") : [String(error)];
    throw new UsageError(`${reason}. See holdpoint --help.`, { cause: error });
  }
}
