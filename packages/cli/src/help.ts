import { defaultOf, type SettingParts } from "./config/setting.ts";
import { SETTING_LIST, settingsOf } from "./config/settings-table.ts";
import { toColumns } from "./flags.ts";
import { USER_CONFIG } from "./trust/user-config.ts";
import { type Command, type CommandHelp, COMMANDS } from "./usage.ts";

/** The help of a command; that of `start` also lists the commands. */
export function helpOf(command: Command): string {
  if (command === "start") return startHelp();
  const { usage, does, more }: CommandHelp = COMMANDS[command];
  return [
    `Usage: ${usage.map((one) => `holdpoint ${one} [flags]`).join("\n       ")}\n`,
    `${does.charAt(0).toUpperCase()}${does.slice(1)}.\n${more === undefined ? "" : `${more}\n`}`,
    flagLines(command),
  ]
    .map(toPlain)
    .join("\n");
}

function startHelp(): string {
  const commands = Object.entries<CommandHelp>(COMMANDS).map(([name, { does }]) => [name, does]);
  const variables = SETTING_LIST.filter(
    ({ flag, variable, commands: takers }) => !flag && variable && takers.includes("start"),
  ).map((setting) => [setting.variable, describe(setting)]);
  return [
    "holdpoint: the human-in-the-loop gateway for AI agents\n",
    "Usage: holdpoint [start] [flags]\n       holdpoint COMMAND [flags]; see holdpoint COMMAND --help\n",
    toColumns([...commands, ["ask", "ask a person from a script, and wait for the answer"]]),
    `Flags of start:\n${flagLines("start")}`,
    `Variables:\n${toColumns(variables)}`,
    `Flags override variables, which override config files. holdpoint.config.ts, .js, .mjs or .json and the files in tools, in this
directory, are loaded once you have trusted them: here in the terminal, or on the page. ${USER_CONFIG} holds
your own settings, for every directory.\n`,
  ]
    .map(toPlain)
    .join("\n");
}

function flagLines(command: Command): string {
  return toColumns(settingsOf(command).map((setting) => [setting.flag, describe(setting)]));
}

function describe(setting: SettingParts): string {
  const { help, flag = "", variable, default: value } = setting;
  const isOff = flag.startsWith("--no-");
  const shown = isOff ? undefined : defaultOf(setting);
  const sign = typeof value === "boolean" ? `=${isOff ? 0 : 1}` : "";
  return [
    isOff ? `do not ${help}` : help,
    ...(shown === undefined ? [] : [`(default: ${shown})`]),
    ...(flag === "" || variable === undefined ? [] : [`[${variable}${sign}]`]),
  ].join(" ");
}

/** Markdown as a terminal shows it. */
function toPlain(text: string): string {
  return text.replaceAll(/\[([\w.-]+\.md)\]\([^)]*\)/gu, "guides/$1").replaceAll("`", "");
}
