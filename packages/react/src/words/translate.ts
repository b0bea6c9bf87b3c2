import { createElement, Fragment, type ReactNode } from "react";

import type { NamesIn, Texts, ValuesOf } from "./text.ts";

/** A language that is shown. */
export interface Language {
  /** As in the `lang` attribute: `de`. */
  readonly tag: string;
  /** How dates and numbers are written: `de-AT`. Absent: as the browser does. */
  readonly locale?: string;
  /** By their English; a text that is missing is shown in English. Absent: all is English. */
  readonly texts?: Partial<Texts>;
}

export const ENGLISH: Language = { tag: "en" };

/** Says a text of the catalogue in one language. The text's English is its key. */
export interface Translate<TText extends string> {
  <T extends TText>(
    text: T,
    ...values: [NamesIn<T>] extends [never] ? [] : [values: ValuesOf<T, string | number>]
  ): string;
  /** As above, where an element stands in the text. */
  rich<T extends TText>(text: T, values: ValuesOf<T, ReactNode>): ReactNode;
  /** A text that the gateway has made: as it came, where the catalogue does not have it. */
  given(text: string): string;
  readonly language: Language;
}

type Values = Readonly<Record<string, ReactNode>>;

const translators = new WeakMap<Language, Translate<string>>();

/** The same function for the same language, so that it can be a dependency of effects. */
export function translateTo<TText extends string>(language: Language): Translate<TText> {
  let translate = translators.get(language);
  if (translate === undefined) {
    translate = createTranslate(language);
    translators.set(language, translate);
  }
  return translate;
}

function createTranslate(language: Language): Translate<string> {
  const { tag, locale, texts } = language;
  const split = (text: string, values: Values): readonly ReactNode[] =>
    toForm(texts?.[text] ?? text, tag, values["count"])
      .split(/\{(\w+)\}/u)
      .map((part, index) => (index % 2 === 0 ? part : toShown(values[part], locale)));
  const translate = (text: string, values?: Readonly<Record<string, string | number>>): string =>
    values === undefined ? (texts?.[text] ?? text) : split(text, values).map(String).join("");
  return Object.assign(translate, {
    rich: (text: string, values: Values) => createElement(Fragment, null, ...split(text, values)),
    given: (text: string) => toGiven(text, texts),
    language,
  }) as Translate<string>;
}

/** A text with one number in it is known by the text with `{n}` in its place. */
function toGiven(text: string, texts: Partial<Texts> = {}): string {
  const known = (key: string): string | undefined =>
    Object.hasOwn(texts, key) ? texts[key] : undefined;
  const [number = ""] = /-?\d+(?:\.\d+)?/u.exec(text) ?? [];
  return known(text) ?? known(text.replace(number, "{n}"))?.replace("{n}", number) ?? text;
}

function toShown(value: ReactNode, locale: string | undefined): ReactNode {
  return typeof value === "number" ? value.toLocaleString(locale) : value;
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

/** The direction that a language is written in. */
export function directionOf({ tag }: Language): "ltr" | "rtl" {
  return /^(?:ar|dv|fa|he|iw|ks|ku|ps|sd|ug|ur|yi)\b/u.test(tag) ? "rtl" : "ltr";
}
