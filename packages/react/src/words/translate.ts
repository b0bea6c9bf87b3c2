import { sayIn, splitText, textOf, type Saying, type SayingTexts } from "@holdpoint/protocol";
import { createElement, Fragment, type ReactNode } from "react";

import type { NamesIn, Texts, ValuesOf } from "./text.ts";

export interface Language {
  /** As in the `lang` attribute: `de`. */
  readonly tag: string;
  /** The format of dates and numbers: `de-AT`. Absent: the browser's. */
  readonly locale?: string;
  /** Translations by their English text. A missing one is shown in English. Absent: everything is English. */
  readonly texts?: Partial<Texts>;
  /** Translations of the gateway's sayings by code. A missing one is shown in the gateway's English. */
  readonly sayings?: Partial<SayingTexts>;
  /** Translations of texts from the gateway that contain values. */
  readonly frames?: Frames;
}

/** Translates a text that contains values; undefined if it is none. `toGiven` translates a value that is a text. */
export type Frames = (text: string, toGiven: (text: string) => string) => string | undefined;

export const ENGLISH: Language = { tag: "en" };

/** Translates texts of the catalogue into one language. The English text is the key. */
export interface Translate<TText extends string> {
  <T extends TText>(
    text: T,
    ...values: [NamesIn<T>] extends [never] ? [] : [values: ValuesOf<T, string | number>]
  ): string;
  /** Translates a text whose values can be elements. */
  rich<T extends TText>(text: T, values: ValuesOf<T, ReactNode>): ReactNode;
  /** Translates a text from the gateway. Unchanged if the catalogue does not have it. */
  translate(text: string): string;
  /** Translates a text from the gateway by the sayings that came with it. Unchanged if they are unknown here. */
  told(text: string, sayings: readonly Saying[] | undefined): string;
  readonly language: Language;
}

type Values = Readonly<Record<string, ReactNode>>;

const translators = new WeakMap<Language, Translate<string>>();

/** Returns the same function for the same language, so that it can be a dependency of effects. */
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
    translate: (text: string) => toGiven(text, language),
    told: (text: string, sayings: readonly Saying[] = []) =>
      toTold(sayings, language) ?? toGiven(text, language),
    language,
  }) as Translate<string>;
}

/** Translates a text from the gateway. A text with one number is looked up with `{n}` in its place. */
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

/** Undefined unless every saying is known: part of a sentence may mean the opposite of the whole. */
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

/** The writing direction of a language. */
export function directionOf({ tag }: Language): "ltr" | "rtl" {
  return /^(?:ar|dv|fa|he|iw|ks|ku|ps|sd|ug|ur|yi)\b/u.test(tag) ? "rtl" : "ltr";
}
