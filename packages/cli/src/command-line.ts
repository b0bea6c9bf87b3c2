import { settingsOf } from "./config/settings-table.ts";
import { type FlagValues, parseFlags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";
import { type Command, type CommandHelp, COMMANDS } from "./usage.ts";

/**
 * Parses the command line. Throws `UsageError` for an unknown flag or command, or a flag without its value. `npmScript`
 * is the npm script that runs the command, if any.
 */
export function parseCommandLine(
  args: readonly string[],
  npmScript?: string,
): {
  command: Command;
  flags: FlagValues;
  words: readonly string[];
} {
  const command = commandOf(args, npmScript);
  const known = settingsOf(command).flatMap(({ flag }) => flag ?? []);
  const { flags, words } = parseFlags(
    args,
    known,
    command === "start" ? "holdpoint --help" : `holdpoint ${command} --help`,
  );
  const { words: most = 0 }: CommandHelp = COMMANDS[command];
  const surplus = words.find((word, place) => place > most || (place === 0 && word !== command));
  if (surplus !== undefined) throw unknownCommand(surplus, npmScript);
  return { command, flags, words: words.slice(1) };
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
      `${problem} Under npm, write two dashes before the flags: npm start -- --port N. Commands: ${known}.`,
    );
  }
  return new UsageError(`${problem} Commands: ${known}. See holdpoint --help.`);
}
