import type { NamesIn, ValuesOf } from "@holdpoint/protocol";

export type { NamesIn, ValuesOf };

/** The texts without values. */
export type PlainText<TText extends string> = TText extends `${string}{${string}` ? never : TText;

/** The translation of each English text. */
export type Texts<TText extends string = string> = Readonly<Record<TText, string>>;
