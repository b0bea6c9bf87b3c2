import type { NamesIn, ValuesOf } from "@holdpoint/protocol";

export type { NamesIn, ValuesOf };

/** The texts that need no values. */
export type PlainText<TText extends string> = TText extends `${string}{${string}` ? never : TText;

/** What stands for each English text in another language. */
export type Texts<TText extends string = string> = Readonly<Record<TText, string>>;
