import type { z } from "zod";

import type { SETTINGS } from "./settings-table.ts";

type Table = typeof SETTINGS;
export type SettingName = keyof Table;

export type ValueOf<TName extends SettingName> = Table[TName] extends {
  readonly schema: infer TSchema extends z.ZodType;
}
  ? z.output<TSchema>
  : Table[TName] extends { readonly default: boolean }
    ? boolean
    : string;

/** The key in the config file; `never` for a setting without. */
export type KeyOf<TName extends SettingName> = Exclude<
  Table[TName]["from"][number],
  `-${string}` | `HOLDPOINT_${string}`
>;

type WithDefault = {
  [TName in SettingName]: Table[TName] extends { readonly default: unknown } ? TName : never;
}[SettingName];

/** The values of all settings. Those with a default always have one. */
export type SettingValues = { readonly [TName in WithDefault]: ValueOf<TName> } & {
  readonly [TName in Exclude<SettingName, WithDefault>]?: ValueOf<TName>;
};
