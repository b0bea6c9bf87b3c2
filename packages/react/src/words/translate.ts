import { sayIn, splitText, textOf, type Saying, type SayingTexts } from "@holdpoint/protocol";
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
  /** What the gateway says, by its codes; what is missing is shown in the gateway's English. */
  readonly sayings?: Partial<SayingTexts>;
  /** Texts that the gateway makes around values. */
  readonly frames?: Frames;
}

/** A text that was made around values, in another language; nothing where it is none. `toGiven`: for a value that is such a text itself. */
export type Frames = (text: string, toGiven: (text: string) => string) => string | undefined;

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
  /** A text of the gateway's that has come with its sayings: the text as it came where they are not known here. */
  told(text: string, sayings: readonly Saying[] | undefined): string;
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
    splitText(texts?.[text] ?? text, tag, values["count"]).map((part, index) =>
      index % 2 === 0 ? part : toShown(values[part], locale),
    );
  const translate = (text: string, values?: Readonly<Record<string, string | number>>): string =>
    values === undefined ? (texts?.[text] ?? text) : split(text, values).map(String).join("");
  return Object.assign(translate, {
    rich: (text: string, values: Values) => createElement(Fragment, null, ...split(text, values)),
    given: (text: string) => toGiven(text, language),
    told: (text: string, sayings: readonly Saying[] = []) =>
      toTold(sayings, language) ?? toGiven(text, language),
    language,
  }) as Translate<string>;
}

/** A text with one number in it is known by the text with `{n}` in its place. */
function toGiven(text: string, language: Language): string {
  const { texts = {}, frames } = language;
  const known = (key: string): string | undefined =>
    Object.hasOwn(texts, key) ? texts[key] : undefined;
  const [number = ""] = /-?\d+(?:\.\d+)?/u.exec(text) ?? [];
  return (
    known(text) ??
    known(text.replace(number, "{n}"))?.replace("{n}", number) ??
    frames?.(text, (value) => toGiven(value, language)) ??
    text
  );
}

function toShown(value: ReactNode, locale: string | undefined): ReactNode {
  return typeof value === "number" ? value.toLocaleString(locale) : value;
}

/** Nothing unless all of it can be said: a part of a sentence may say the opposite of the whole. */
function toTold(sayings: readonly Saying[], language: Language): string | undefined {
  const { sayings: known = {} } = language;
  if (!sayings.every(({ code }) => textOf(known, code) !== undefined)) return undefined;
  const labelled = sayings.map(({ code, values = {} }) => {
    const { label } = values;
    return typeof label === "string"
      ? { code, values: { ...values, label: toGiven(label, language) } }
      : { code, values };
  });
  return sayings.length === 0 ? undefined : sayIn(labelled, known, language);
}

/** The direction that a language is written in. */
export function directionOf({ tag }: Language): "ltr" | "rtl" {
  return /^(?:ar|dv|fa|he|iw|ks|ku|ps|sd|ug|ur|yi)\b/u.test(tag) ? "rtl" : "ltr";
}
