import { parseArgs, type ParseArgsConfig } from "node:util";

import { UsageError } from "./usage-error.ts";

/** A flag as the help shows it: `--port N`, `-h, --help`, or `--head HASH...` if it can be repeated. */
export interface Flag {
  readonly flag: string;
  readonly help: string;
}

export type FlagValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

interface FlagParts {
  readonly short?: string;
  readonly name: string;
  /** The name of its value. Absent: it takes none. */
  readonly value?: string;
  readonly repeats?: string;
}

export function partsOf(flag: string): FlagParts {
  const form = /^(?:-(?<short>\w), )?--(?<name>[\w-]+)(?: (?<value>\S+?)(?<repeats>\.{3})?)?$/u;
  return form.exec(flag)?.groups as unknown as FlagParts;
}

/** Throws `UsageError` for an unknown flag, or a flag without its value. `help` is the command that lists the flags. */
export function parseFlags(
  args: readonly string[],
  flags: readonly string[],
  help: string,
): { readonly flags: FlagValues; readonly words: readonly string[] } {
  const options = flags.map(partsOf).map(({ short, name, value, repeats }) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    const multiple = repeats !== undefined;
    return [name, { type, multiple, ...(short !== undefined && { short }) }] as const;
  });
  const parsed = parse([...args], Object.fromEntries(options), help);
  for (const [name, value] of Object.entries(parsed.values)) {
    if ([value].flat().includes("")) throw new UsageError(`--${name} needs a value.`);
  }
  return { flags: parsed.values as FlagValues, words: parsed.positionals };
}

function parse(args: string[], options: NonNullable<ParseArgsConfig["options"]>, help: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${toReason(error)} See ${help}.`, { cause: error });
  }
}

/** The first sentence of Node's message: its advice after that does not help a user of the command line. */
function toReason(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const [, flag] = /^Option '(--?[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(said) ?? [];
  return flag === undefined ? `${said.split(". ")[0]}.` : `${flag} needs a value.`;
}

/** The lines of a help text, in two columns. */
export function toColumns(rows: readonly (readonly (string | undefined)[])[]): string {
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}
