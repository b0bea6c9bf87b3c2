/** The names in a text that values take the place of: `amount` of "Show all {amount}". */
export type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a text needs to be said. A `count` also chooses between its forms, as in "{count} line|{count} lines". */
export type ValuesOf<T extends string, TValue> = {
  readonly [Name in NamesIn<T>]: Name extends "count" ? number : TValue;
};

/** A language for texts: its tag, such as `de`, and how it writes numbers; by default as its tag says. */
export interface TextLanguage {
  readonly tag: string;
  readonly locale?: string | undefined;
}

/**
 * A text in its parts: at even places what stands between values, at odd places the name of one. Its form is chosen by the
 * value `count`.
 */
export function splitText(text: string, tag: string, count: unknown): readonly string[] {
  return toForm(text, tag, count).split(/\{(\w+)\}/u);
}

/** A text with its values. What a value says is never taken for a part of the text. */
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

/** In the order in which a text names its forms; a language has some of them. */
const FORMS: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/** The form of "{count} line|{count} lines" for a number. */
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
