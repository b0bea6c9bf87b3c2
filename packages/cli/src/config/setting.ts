import { z } from "zod";

import type { Environment } from "../environment.ts";
import { type FlagValues, partsOf } from "../flags.ts";
import { UsageError } from "../usage-error.ts";
import type { Command } from "../usage.ts";

/** A setting: where its value comes from, how it is checked, and its documentation. */
export interface Setting {
  /**
   * Its flag with the name of the value, its variable, and its key in the config file. `--no-…` turns a setting off. A
   * list is given in a flag or variable with commas, and with `...` the flag can be repeated.
   */
  readonly from: readonly string[];
  /** Markdown, without a period at the end. */
  readonly help: string;
  /** Checks values in config files, and texts once they are converted. Default: a text, or what the default is. */
  readonly schema?: z.ZodType;
  readonly default?: unknown;
  /** How the default is shown, unless as the value. */
  readonly shownDefault?: string;
  /** The commands that take the flag. Default: `start`. */
  readonly commands?: readonly Command[];
  /** Errors never repeat the value. */
  readonly isSecret?: true;
  /** A path relative to the directory in which the command was started. */
  readonly isPath?: true;
  /** Also accepted in the config file of a directory. */
  readonly inDirectory?: true;
}

export interface SettingParts extends Setting {
  readonly name: string;
  readonly flag?: string | undefined;
  readonly variable?: string | undefined;
  readonly key?: string | undefined;
  readonly schema: z.ZodType;
  readonly commands: readonly Command[];
}

export function partsOfSetting(name: string, setting: Setting): SettingParts {
  const { from, default: value } = setting;
  const flag = from.find((place) => place.startsWith("-"));
  const variable = from.find((place) => place.startsWith("HOLDPOINT_"));
  return {
    schema: typeof value === "boolean" ? z.boolean() : z.string().min(1),
    commands: ["start"],
    ...setting,
    name,
    flag,
    variable,
    key: from.find((place) => place !== flag && place !== variable),
  };
}

/** The value from the command line or the environment; `undefined` if neither has it. Throws `UsageError`. */
export function readGiven(setting: SettingParts, flags: FlagValues, env: Environment): unknown {
  const { flag, variable } = setting;
  const { name = "" } = flag === undefined ? {} : partsOf(flag);
  const given = flags[name];
  if (given !== undefined) {
    return check(setting, given === true ? !name.startsWith("no-") : given, `--${name}`);
  }
  // As in most programs, an empty variable counts as unset.
  const text = variable && env[variable];
  return variable && text ? check(setting, text, variable) : undefined;
}

function check(setting: SettingParts, given: FlagValues[string], from: string): unknown {
  const { schema, isSecret } = setting;
  const value = convert(given, schema);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const wrong = Array.isArray(value) ? value[Number(issue?.path[0] ?? 0)] : given;
  const shown = isSecret ? "" : ` "${String(wrong)}"`;
  throw new UsageError(`Invalid ${from}${shown}. ${toAdvice(schema, issue?.message)}`);
}

const AMOUNT = /^\d{1,12}(?:\.\d{1,3})?$/;
const OFF = ["0", "false", "no", "off"];

function convert(given: FlagValues[string], schema: z.ZodType): unknown {
  if (schema instanceof z.ZodArray) {
    return [given].flat().flatMap((text) =>
      String(text)
        .split(",")
        .map((part) => part.trim()),
    );
  }
  if (typeof given !== "string") return given;
  if (schema instanceof z.ZodNumber) return AMOUNT.test(given) ? Number(given) : undefined;
  return schema instanceof z.ZodBoolean ? !OFF.includes(given.toLowerCase()) : given;
}

function toAdvice(schema: z.ZodType, message = ""): string {
  if (schema instanceof z.ZodEnum) return `Use one of: ${schema.options.join(", ")}.`;
  if (!(schema instanceof z.ZodNumber)) return message;
  const { minValue, maxValue, format } = schema;
  const kind = format === null ? "number" : "whole number";
  const least = minValue === 0 && format === null ? "above 0" : `from ${minValue}`;
  const most = (maxValue ?? Infinity) < Number.MAX_SAFE_INTEGER ? ` to ${maxValue}` : "";
  return `Use a ${kind} ${least}${most}.`;
}

/** The default in the documentation; `undefined` if there is none. */
export function defaultOf({
  name,
  default: value,
  shownDefault,
}: SettingParts): string | undefined {
  if (shownDefault !== undefined || value === undefined) return shownDefault;
  if (name.endsWith("Ms")) return toTime(Number(value));
  if (typeof value === "string") return `\`${value}\``;
  if (value === false) return undefined;
  return Array.isArray(value) ? "none" : `${value as number | boolean}`;
}

function toTime(ms: number): string {
  if (ms === Infinity) return "no limit";
  return ms < 60_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`;
}
