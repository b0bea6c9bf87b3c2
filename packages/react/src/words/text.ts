/** The names in a text that values take the place of: `amount` of "Show all {amount}". */
export type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a text needs to be said. A `count` also chooses between its forms, as in "{count} line|{count} lines". */
export type ValuesOf<T extends string, TValue> = {
  readonly [Name in NamesIn<T>]: Name extends "count" ? number : TValue;
};

/** The texts that need no values. */
export type PlainText<TText extends string> = TText extends `${string}{${string}` ? never : TText;

/** What stands for each English text in another language. */
export type Texts<TText extends string = string> = Readonly<Record<TText, string>>;
