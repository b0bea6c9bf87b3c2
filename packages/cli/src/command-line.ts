import { parseArgs, type ParseArgsConfig } from "node:util";

import { UsageError } from "./usage-error.ts";

const SHARED = {
  "data-dir": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export const COMMANDS = {
  start: {
    ...SHARED,
    config: { type: "string" },
    port: { type: "string" },
    host: { type: "string" },
    "public-url": { type: "string" },
    "tls-cert": { type: "string" },
    "tls-key": { type: "string" },
    "trust-proxy": { type: "string" },
    "no-open": { type: "boolean" },
    cwd: { type: "string" },
    agent: { type: "string" },
    "embed-origin": { type: "string", multiple: true },
    isolate: { type: "string" },
    "max-idle-agents": { type: "string" },
    watch: { type: "boolean" },
    "accept-loss": { type: "boolean" },
    store: { type: "string" },
    "cluster-secret-file": { type: "string" },
    "node-address": { type: "string" },
    "log-level": { type: "string" },
    "log-format": { type: "string" },
    otlp: { type: "string" },
  },
  check: { ...SHARED, store: { type: "string" } },
  backup: { ...SHARED, store: { type: "string" } },
  restore: { ...SHARED, store: { type: "string" } },
  doctor: {
    ...SHARED,
    store: { type: "string" },
    config: { type: "string" },
    cwd: { type: "string" },
    agent: { type: "string" },
    isolate: { type: "string" },
  },
  move: {
    ...SHARED,
    store: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
  },
  prune: {
    ...SHARED,
    "dry-run": { type: "boolean" },
    days: { type: "string" },
    megabytes: { type: "string" },
  },
  audit: {
    ...SHARED,
    store: { type: "string" },
    session: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    out: { type: "string" },
    head: { type: "string", multiple: true },
    heads: { type: "string" },
  },
  link: SHARED,
  adopt: {
    ...SHARED,
    project: { type: "boolean" },
    print: { type: "boolean" },
    undo: { type: "boolean" },
  },
  pair: SHARED,
  "agent-token": { ...SHARED, label: { type: "string" } },
} as const;
export type Command = keyof typeof COMMANDS;
/** Commands that take arguments after their name, and the maximum number of these. */
const WORDS: Readonly<Partial<Record<Command, number>>> = {
  adopt: 2,
  backup: 1,
  audit: 2,
  restore: 1,
};

export interface Flags {
  readonly port?: string;
  readonly host?: string;
  readonly "public-url"?: string;
  readonly "tls-cert"?: string;
  readonly "tls-key"?: string;
  readonly "trust-proxy"?: string;
  readonly "no-open"?: boolean;
  readonly "data-dir"?: string;
  readonly config?: string;
  readonly cwd?: string;
  readonly agent?: string;
  readonly "embed-origin"?: readonly string[];
  readonly isolate?: string;
  readonly "max-idle-agents"?: string;
  readonly watch?: boolean;
  readonly "accept-loss"?: boolean;
  readonly store?: string;
  readonly "cluster-secret-file"?: string;
  readonly "node-address"?: string;
  readonly "log-level"?: string;
  readonly "log-format"?: string;
  readonly otlp?: string;
  /** For `move`. */
  readonly from?: string;
  readonly to?: string;
  /** For `prune`. */
  readonly "dry-run"?: boolean;
  readonly days?: string;
  readonly megabytes?: string;
  /** For `audit export`. */
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly out?: string;
  /** For `audit verify`. */
  readonly head?: readonly string[];
  readonly heads?: string;
  readonly json?: boolean;
  /** The agent's name. */
  readonly label?: string;
  /** For `adopt`: uses the settings of the project in this directory. */
  readonly project?: boolean;
  readonly print?: boolean;
  readonly undo?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

/**
 * Parses the command line. Throws `UsageError` for an unknown flag or command, or a flag without its value. `npmScript`
 * is the npm script that runs the command, if any.
 */
export function parseCommandLine(
  args: readonly string[],
  npmScript?: string,
): {
  command: Command;
  flags: Flags;
  words: readonly string[];
} {
  const command = commandOf(args, npmScript);
  const { values: flags, positionals } = parse(args, COMMANDS[command]);
  const most = WORDS[command] ?? 0;
  const surplus = positionals.find(
    (word, place) => place > most || (place === 0 && word !== command),
  );
  if (surplus !== undefined) throw unknownCommand(surplus, npmScript);
  for (const [name, value] of Object.entries(flags)) {
    if ([value].flat().includes("")) throw new UsageError(`--${name} needs a value.`);
  }
  return { command, flags, words: positionals.slice(1) };
}

/** The first argument, unless it is a flag. */
function commandOf(args: readonly string[], npmScript: string | undefined): Command {
  const [word = "start"] = args;
  if (word.startsWith("-")) return "start";
  if (Object.hasOwn(COMMANDS, word)) return word as Command;
  throw unknownCommand(word, npmScript);
}

function unknownCommand(word: string, npmScript?: string): UsageError {
  const known = [...Object.keys(COMMANDS), "ask"].join(", ");
  const problem = `Unknown command "${word}".`;
  // Without the dashes, npm takes the flags for its own and passes on only their values.
  if (npmScript === "start") {
    return new UsageError(
      `${problem} Under npm, write two dashes before the flags: npm start -- --port N. The commands are: ${known}.`,
    );
  }
  return new UsageError(`${problem} There are: ${known}. See holdpoint --help.`);
}

function parse(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): { values: Flags; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${toReason(error)} See holdpoint --help.`, { cause: error });
  }
}

/** The first sentence of Node's message: its advice after that does not help a user of the command line. */
function toReason(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const [, flag] = /^Option '(--?[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(said) ?? [];
  return flag === undefined ? `${said.split(". ")[0]}.` : `${flag} needs a value.`;
}
