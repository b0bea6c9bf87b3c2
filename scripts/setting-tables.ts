import { z } from "zod";

import { defaultOf, type SettingParts } from "../packages/cli/src/config/setting.ts";
import { SETTING_LIST, settingsOf } from "../packages/cli/src/config/settings-table.ts";
import { type Command, COMMANDS } from "../packages/cli/src/usage.ts";

const GUIDE = "guides/operations.md";

/** A table of settings in a guide, the first one after a line. */
export interface SettingTable {
  readonly document: string;
  readonly after: string;
  readonly table: string;
}

/** The tables that are made from the settings. */
export function settingTables(): readonly SettingTable[] {
  const flags = SETTING_LIST.filter(({ flag }) => flag !== undefined);
  const variables = SETTING_LIST.filter(({ variable }) => variable !== undefined);
  return [
    {
      document: GUIDE,
      after: "### Keys of the config file\n",
      table: toTable(["key", "in a directory", ""], SETTING_LIST.flatMap(keyRows)),
    },
    {
      document: GUIDE,
      after: "### Flags\n",
      table: toTable(["flag", "command", ""], flags.map(flagRow)),
    },
    {
      document: GUIDE,
      after: "### Variables\n",
      table: toTable(["variable", ""], variables.map(variableRow)),
    },
    { document: "guides/audit.md", after: "# Audit", table: tableOf("audit") },
  ];
}

/** Replaces the first table after the line. */
export function withTable(text: string, { after, table }: SettingTable): string {
  const start = text.indexOf("\n| ", text.indexOf(after)) + 1;
  const [old = ""] = /^(?:\|.*\n)+/u.exec(text.slice(start)) ?? [];
  return `${text.slice(0, start)}${table}\n${text.slice(start + old.length)}`;
}

/** The flags that only this command takes. */
function tableOf(command: Command): string {
  const own = settingsOf(command).filter(({ commands }) => commands.length === 1);
  return toTable(
    ["flag", ""],
    own.map(({ flag, help }) => [`\`${flag}\``, help]),
  );
}

interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

function keyRows(setting: SettingParts): string[][] {
  const { key, schema, inDirectory, help } = setting;
  if (key === undefined) return [];
  const shown = defaultOf(setting);
  const text = shown === undefined ? help : `${help}. Default: ${shown}`;
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return membersOf(json, key, text).map(([path, about]) => [
    `\`${path}\``,
    inDirectory ? "✓" : "",
    about ?? "",
  ]);
}

/** The described keys in a group of settings, such as `notify.webhooks[].url`; otherwise the key itself. */
function membersOf({ properties, items }: JsonSchema, path: string, text: string): string[][] {
  if (items?.properties) return membersOf(items, `${path}[]`, text);
  if (!properties) return [[path, text]];
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = `${path}.${name}`;
    const { description } = member;
    return description === undefined ? membersOf(member, inner, text) : [[inner, description]];
  });
}

function flagRow({ flag = "", key, help, commands, default: value }: SettingParts): string[] {
  const isAll = commands.length === Object.keys(COMMANDS).length;
  const takers = isAll ? "all" : commands.map((command) => `\`${command}\``).join(", ");
  const about = value === true ? `\`${key}: false\`` : `\`${key}\``;
  return [`\`${flag}\``, takers, key === undefined ? help : about];
}

function variableRow(setting: SettingParts): string[] {
  const { variable, flag, key, schema, default: value, help } = setting;
  const name = flag?.replace(/ .*/u, "") ?? key;
  const sign = typeof value === "boolean" ? `\`${value ? 0 : 1}\`: ` : "";
  const list = schema instanceof z.ZodArray ? ", separated by commas" : "";
  return [`\`${variable}\``, name === undefined ? help : `${sign}\`${name}\`${list}`];
}

/** A table in Markdown with columns of even width. */
function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) =>
    Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(toLine).join("\n");
}
