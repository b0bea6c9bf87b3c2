import { parseExactJson, type Saying, saying } from "@holdpoint/protocol";
import { z } from "zod";

import { partsOf } from "../flags.ts";
import { toLoadReason } from "../load-error.ts";
import type { ImportOwn } from "../trust/own-modules.ts";
import type { SnapshotFile } from "../trust/snapshot.ts";
import { UsageError } from "../usage-error.ts";
import type { KeyOf, SettingName, ValueOf } from "./setting-values.ts";
import { SETTING_LIST } from "./settings-table.ts";

type Keyed = {
  [TName in SettingName as KeyOf<TName>]: ValueOf<TName>;
};
type TopKey = keyof Keyed extends infer TKey
  ? TKey extends `${infer TGroup}.${string}`
    ? TGroup
    : TKey
  : never;

/** The content of `holdpoint.config.ts`, `.js`, `.mjs` or `.json`. */
export type ConfigFile = {
  [TKey in TopKey]?:
    | (TKey extends keyof Keyed
        ? Keyed[TKey]
        : { [TFull in keyof Keyed as MemberOf<TFull, TKey>]?: Keyed[TFull] | undefined })
    | undefined;
};
type MemberOf<TFull, TGroup extends string> = TFull extends `${TGroup}.${infer TMember}`
  ? TMember
  : never;

type Shape = Record<string, z.ZodType>;

/** The schema of the settings whose keys begin with `prefix`. */
function toSchema(prefix = ""): z.ZodObject<Shape> {
  const inside = SETTING_LIST.filter(({ key }) => key?.startsWith(prefix));
  const shape = inside.map(({ key = "", schema }): [string, z.ZodType] => {
    const [name = "", member] = key.slice(prefix.length).split(".");
    return [name, (member === undefined ? schema : toSchema(`${name}.`)).optional()];
  });
  return z.strictObject(Object.fromEntries(shape));
}

export const configSchema: z.ZodObject<Shape> = toSchema();

const KEYS = Object.keys(configSchema.shape).join(", ");

/**
 * Whether a key is accepted in the config file of a directory. All others decide who reaches the gateway, where it keeps
 * its data, or what runs without asking: a directory made by someone else must not set these.
 */
function isForDirectories(name: string): boolean {
  return SETTING_LIST.some(({ key, inDirectory }) => key === name && inDirectory);
}

/** The flag with which a person sets the key instead. */
function flagFor(name: string): string | undefined {
  const members = SETTING_LIST.filter(({ key }) => key === name || key?.startsWith(`${name}.`));
  const [first, ...others] = members.map(({ flag }) => flag);
  return first === undefined || others.includes(undefined) ? undefined : `--${partsOf(first).name}`;
}

/** Who wrote the config file: the person of this account, or the author of a directory. */
export type ConfigOwner =
  | { readonly kind: "person" }
  | { readonly kind: "directory"; readonly userConfigPath: string };

/** Validates a config file's content. Throws `UsageError` with the file and the problem. */
export function parseConfig(path: string, content: unknown, owner: ConfigOwner): ConfigFile {
  const refused = owner.kind === "person" ? undefined : findRefused(content);
  if (refused !== undefined && owner.kind === "directory") {
    const [flag, file] = [flagFor(refused), owner.userConfigPath];
    throw new UsageError(
      flag === undefined
        ? saying("config_not_taken", { path, name: refused, file })
        : saying("config_not_taken_but", { path, name: refused, flag, file }),
    );
  }
  const result = configSchema.safeParse(content);
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.slice(0, 1).flatMap((issue) => tellIssue(path, issue)));
}

/** A description of an invalid setting. */
function tellIssue(path: string, issue: z.core.$ZodIssue): Saying[] {
  const where = issue.path.join(".");
  const place = where === "" ? saying("config_in", { path }) : saying("config_at", { path, where });
  return [place, ...tellFault(issue, where === "")];
}

function tellFault(issue: z.core.$ZodIssue, isTop: boolean): Saying[] {
  switch (issue.code) {
    case "invalid_type":
      return [saying("config_type", { type: issue.expected })];
    case "too_small":
      return [saying("config_least", { least: String(issue.minimum) })];
    case "too_big":
      return [saying("config_most", { most: String(issue.maximum) })];
    case "invalid_value":
      return [saying("config_one_of", { values: issue.values.map(String).join(", ") })];
    case "unrecognized_keys": {
      const unknown = saying("config_unknown", { names: issue.keys.join(", ") });
      return isTop ? [unknown, saying("config_known", { names: KEYS })] : [unknown];
    }
    default:
      return [saying("config_other", { text: issue.message })];
  }
}

/** Reads and validates a config file from its snapshot. Rejects with `UsageError` like `parseConfig`. */
export async function readConfigFile(
  { path, bytes }: Pick<SnapshotFile, "path" | "bytes">,
  importOwn: ImportOwn,
  owner: ConfigOwner,
): Promise<ConfigFile> {
  return parseConfig(path, await readContent(path, bytes, importOwn), owner);
}

/** Merges config files key by key; later files win. */
export function mergeConfigs(files: readonly ConfigFile[]): ConfigFile {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of files.flatMap((file) => Object.entries(file))) {
    merged[key] = isGroup(merged[key]) && isGroup(value) ? { ...merged[key], ...value } : value;
  }
  return merged;
}

/** Whether a value is a group of settings, such as `claude`. */
function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findRefused(content: unknown): string | undefined {
  const keys = typeof content === "object" && content !== null ? Object.keys(content) : [];
  return keys.find((key) => Object.hasOwn(configSchema.shape, key) && !isForDirectories(key));
}

async function readContent(path: string, bytes: Buffer, importOwn: ImportOwn): Promise<unknown> {
  // Also trims a byte order mark.
  const text = bytes.toString().trim();
  const content = await parseOrImport(path, text, importOwn).catch((error: unknown) => {
    throw new UsageError(saying("config_unreadable", { path, why: toLoadReason(error) }), {
      cause: error,
    });
  });
  if (text === "") return {};
  // A program without `export` is loaded like one with `module.exports`, which is an empty object until it is set.
  const exportsNothing = !path.endsWith(".json") && !/\bexports?\b/.test(text);
  if (content !== undefined && !exportsNothing) return content;
  throw new UsageError(saying("config_no_export", { path, example: "export default { … };" }));
}

async function parseOrImport(path: string, text: string, importOwn: ImportOwn): Promise<unknown> {
  if (!path.endsWith(".json")) return importOwn(path);
  return text === "" ? {} : parseExactJson(text);
}
