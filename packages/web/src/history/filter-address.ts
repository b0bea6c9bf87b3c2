import type { HistoryFilter, ResponseAction } from "@holdpoint/protocol";

const MAX_WORDS_LENGTH = 200;
const MAX_NAME_LENGTH = 256;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const ACTIONS: readonly ResponseAction[] = ["approve", "deny", "submit", "cancel"];

/** Parses each part of a filter in an address. Invalid parts are ignored. */
const PARTS: {
  readonly [TName in keyof Required<HistoryFilter>]: (text: string) => HistoryFilter[TName];
} = {
  words: (text) => text.slice(0, MAX_WORDS_LENGTH),
  person: toName,
  agent: toName,
  tool: toName,
  action: (text) => ACTIONS.find((action) => action === text),
  from: toInstant,
  until: toInstant,
};
const NAMES = Object.keys(PARTS) as (keyof HistoryFilter)[];

/** Parses the filter in a query string, which has the parameters of `/api/history`. */
export function readFilter(search: string): HistoryFilter {
  const given = new URLSearchParams(search);
  const parts = NAMES.map((name) => [name, PARTS[name](given.get(name) ?? "") || undefined]);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined)) as HistoryFilter;
}

/** The query string of a filter. `readFilter` parses it. */
export function toSearch(filter: HistoryFilter): string {
  const parts = NAMES.flatMap((name) => {
    const value = filter[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return parts.length === 0 ? "" : `?${new URLSearchParams(parts).toString()}`;
}

function toName(text: string): string | undefined {
  return text.length > MAX_NAME_LENGTH ? undefined : text;
}

function toInstant(text: string): string | undefined {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
