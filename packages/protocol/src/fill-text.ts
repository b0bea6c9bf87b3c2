/** The names of the placeholders in a text: `amount` in "Show all {amount}". */
export type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values that a text needs. `count` also selects between its forms, as in "{count} line|{count} lines". */
export type ValuesOf<T extends string, TValue> = {
  readonly [Name in NamesIn<T>]: Name extends "count" ? number : TValue;
};

/** The language of a text: its tag, such as `de`, and its number format. Default format: the tag's. */
export interface TextLanguage {
  readonly tag: string;
  readonly locale?: string | undefined;
}

/** Splits a text into literals (even indexes) and names of placeholders (odd indexes). `count` selects the form. */
export function splitText(text: string, tag: string, count: unknown): readonly string[] {
  return toForm(text, tag, count).split(/\{(\w+)\}/u);
}

/** Fills a text with its values. Placeholders inside a value are not replaced. */
export function fillText(
  text: string,
  { tag, locale = tag }: TextLanguage,
  values: Readonly<Record<string, string | number>>,
): string {
  const toShown = (name: string): string => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === "number" ? value.toLocaleString(locale) : (value ?? "");
  };
  return splitText(text, tag, values["count"])
    .map((part, index) => (index % 2 === 0 ? part : toShown(part)))
    .join("");
}

/** The order in which a text lists its forms. Each language has some of them. */
const FORMS: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/** Selects the form of "{count} line|{count} lines" for a number. */
function toForm(text: string, tag: string, count: unknown): string {
  if (typeof count !== "number") return text;
  const rules = new Intl.PluralRules(tag);
  const { pluralCategories } = rules.resolvedOptions();
  const place = FORMS.filter((form) => pluralCategories.includes(form)).indexOf(
    rules.select(count),
  );
  const forms = text.split("|");
  return forms[place] ?? forms.at(-1) ?? text;
}
