import { ENGLISH_SAYINGS, type SayingCode } from "./english-sayings.ts";
import { fillText, type NamesIn, type TextLanguage, type ValuesOf } from "./fill-text.ts";
import type { Said, Saying } from "./saying-schema.ts";

/** A text for people: either literal text, or sayings. */
export type Told = string | Saying | readonly Saying[];

type EnglishOf<TCode extends SayingCode> = (typeof ENGLISH_SAYINGS)[TCode];

/** Creates a saying with all of its values. */
export function saying<TCode extends SayingCode>(
  code: TCode,
  ...[values]: [NamesIn<EnglishOf<TCode>>] extends [never]
    ? []
    : [values: ValuesOf<EnglishOf<TCode>, string | number>]
): Saying {
  return { code, ...(values !== undefined && { values }) };
}

/** The text of each saying in one language. */
export type SayingTexts = Readonly<Record<SayingCode, string>>;

/** Returns the text in English, for programs, logs and everyone without another language. */
export function inEnglish(told: Told): string {
  return typeof told === "string" ? told : sayIn(toSayings(told), ENGLISH_SAYINGS, ENGLISH);
}

const ENGLISH: TextLanguage = { tag: "en" };

/** Joins the sayings in the language of the texts. Sayings without a text are left out. */
export function sayIn(
  sayings: readonly Saying[],
  texts: Partial<SayingTexts>,
  language: TextLanguage,
): string {
  return sayings
    .flatMap(({ code, values = {} }) => {
      const text = textOf(texts, code);
      return text === undefined ? [] : [fillText(text, language, values)];
    })
    .join(" ");
}

/** Returns the text of a code, or `undefined` if the language has none. */
export function textOf(texts: Partial<SayingTexts>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code as SayingCode] : undefined;
}

function toSayings(told: Exclude<Told, string>): readonly Saying[] {
  return Array.isArray(told) ? told : [told as Saying];
}

/** Returns the `said` member for an object with these texts. Empty if none of them are sayings. */
export function saidOf(texts: Readonly<Record<string, Told | undefined>>): { said?: Said } {
  const said = Object.entries(texts).flatMap(([name, told]): [string, Saying[]][] =>
    told === undefined || typeof told === "string" ? [] : [[name, [...toSayings(told)]]],
  );
  return said.length === 0 ? {} : { said: Object.fromEntries(said) };
}
