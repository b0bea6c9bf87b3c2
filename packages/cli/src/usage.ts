import { UsageError } from "./usage-error.ts";

export interface CommandHelp {
  /** What follows `holdpoint`, without the flags that several commands take. */
  readonly usage: readonly string[];
  /** One line for the list of commands. */
  readonly does: string;
  readonly more?: string;
  /** The maximum number of arguments after its name. Default: none. */
  readonly words?: number;
}

export const COMMANDS = {
  start: { usage: ["[start]"], does: "run the gateway" },
  doctor: {
    usage: ["doctor"],
    does: "check everything that a gateway needs, whether one runs or not",
    more: `It checks settings, data folder, disk, database, agent hosts, parked sessions, clock, issuers, SDK and login, isolation,
the variables that agents get, and tools. Each finding is one line. A problem has a ! and its solution, and makes the exit
code 1. Nothing is changed: tools are tried only if you have trusted them, in a process that cannot write files.`,
  },
  check: {
    usage: ["check"],
    does: "check the whole database for damage, gaps and losses, also while a gateway runs",
    more: "The exit code is 0 if nothing is damaged or missing.",
  },
  backup: {
    usage: ["backup FILE"],
    does: "copy the database into a new file, also while a gateway runs",
    words: 1,
  },
  restore: {
    usage: ["restore FILE --data-dir DIR"],
    does: "create a data folder from a backup",
    more: "The folder must be empty, or not exist yet.",
    words: 1,
  },
  prune: {
    usage: ["prune [--dry-run [--days N] [--megabytes N]]"],
    does: "make the running gateway delete the sessions that `retention` in your config file selects",
  },
  move: {
    usage: ["move --to ADDRESS", "move --from ADDRESS --to sqlite"],
    does: "move all data of a gateway from its data folder into an empty Postgres database, or back",
    more: "The copy is compared with the original.",
  },
  audit: {
    usage: [
      "audit export [--session ID] [--since TIME] [--until TIME] [--out FILE]",
      "audit verify FILE [--head HASH] [--heads FILE]",
    ],
    does: "export what was asked, shown, answered and delivered, or verify such an export",
    more: `An export has the hash chain of each log, and can be made while a gateway runs. verify needs neither gateway nor
store. Its exit code is 1 if a byte of the file was changed, or if a head (the last hash of an earlier export) is not in it.
See guides/audit.md.`,
    words: 2,
  },
  link: {
    usage: ["link"],
    does: "make the running gateway print a new launch link in its own terminal",
    more: "The link is for a second browser, or for when the first link has expired.",
  },
  pair: {
    usage: ["pair"],
    does: "make the running gateway print a code for a phone or another device in its own terminal",
    more: "The code is entered at /pair. If the gateway has an https address, it also prints a QR code.",
  },
  adopt: {
    usage: ["adopt [claude] [codex] [--project] [--print | --undo]"],
    does: "let agents that you start in your own terminals ask you here as well",
    more: `Hooks are written into the settings of Claude Code and Codex, and tried with the running gateway.`,
    words: 2,
  },
  "agent-token": {
    usage: ["agent-token --label NAME"],
    does: "get a token for an agent that you start yourself",
    more: "With the token the agent can call the gateway's tools over MCP. The output shows how to connect it.",
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;
export type Command = keyof typeof COMMANDS;

export function usageOf(command: Command): string {
  return COMMANDS[command].usage.map((usage) => `holdpoint ${usage}`).join(" | ");
}

/** The error for a command line without a required part. */
export function missing(part: string, command: Command): UsageError {
  return new UsageError(`Missing ${part}. Usage: ${usageOf(command)}`);
}
