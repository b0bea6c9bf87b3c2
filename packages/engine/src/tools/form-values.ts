import type { FieldSchema, FormSchema } from "@holdpoint/protocol";
import type { z } from "zod";

import type { FormFields } from "./form-fields.ts";

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
/** The definition of a form: zod, the JSON Schema subset of MCP elicitation, or a list of fields. */
export type FormInput = z.ZodType<Record<string, unknown>> | Frozen<FormSchema> | FormFields;

/**
 * The values of a form with this schema or these fields. They are typed if its definition is written in place, or
 * with `as const`.
 */
export type ValuesOf<TForm> =
  TForm extends z.ZodType<infer TOutput>
    ? TOutput
    : TForm extends { readonly fields: infer TFields extends readonly { readonly id: string }[] }
      ? ListedValues<TFields[number]>
      : TForm extends { readonly properties: infer TProperties }
        ? string extends keyof TProperties
          ? AnyValues
          : SchemaValues<TProperties, RequiredOf<TForm>>
        : AnyValues;

export type AnyValues = Readonly<Record<string, unknown>>;

type RequiredOf<TForm> = TForm extends { readonly required: readonly (infer TName)[] }
  ? TName
  : never;

type Plain<T> = { readonly [K in keyof T]: T[K] };

type SchemaValues<TProperties, TRequired> = Plain<
  {
    [K in keyof TProperties as K extends TRequired ? K : never]: SchemaValue<TProperties[K]>;
  } & {
    [K in keyof TProperties as K extends TRequired ? never : K]?: SchemaValue<TProperties[K]>;
  }
>;

type SchemaValue<TField> = TField extends { readonly type: "number" | "integer" }
  ? number
  : TField extends { readonly type: "boolean" }
    ? boolean
    : TField extends { readonly type: "array"; readonly items: infer TItems }
      ? readonly ChoiceOf<TItems>[]
      : ChoiceOf<TField>;

type ChoiceOf<TField> = TField extends { readonly enum: readonly (infer TValue)[] }
  ? TValue
  : TField extends { readonly oneOf: readonly { readonly const: infer TValue }[] }
    ? TValue
    : TField extends { readonly anyOf: readonly { readonly const: infer TValue }[] }
      ? TValue
      : string;

type ListedValues<TField extends { readonly id: string }> = string extends TField["id"]
  ? AnyValues
  : Plain<
      {
        [F in TField as F extends { readonly required: true } ? F["id"] : never]: ListedValue<F>;
      } & {
        [F in TField as F extends { readonly required: true } ? never : F["id"]]?: ListedValue<F>;
      }
    >;

type ListedValue<TField> = TField extends { readonly type: "number" }
  ? number
  : TField extends { readonly type: "checkbox"; readonly options: infer TOptions }
    ? readonly OptionOf<TOptions>[]
    : TField extends { readonly type: "checkbox" }
      ? boolean
      : TField extends { readonly type: "select" | "radio"; readonly options: infer TOptions }
        ? OptionOf<TOptions>
        : string;

type OptionOf<TOptions> = TOptions extends readonly { readonly value: infer TValue }[]
  ? TValue
  : string;

type FieldKey<TField> = TField extends { readonly type: infer TType }
  ? KeyFor<FieldSchema, TType>
  : never;
type KeyFor<TSchema, TType> = TSchema extends { readonly type: infer TKnown }
  ? TType extends TKnown
    ? keyof TSchema
    : never
  : never;
/** The type of a property that a form does not have. No value has this type. */
interface NoSuchWord {
  readonly noSuchWord: never;
}
type Without<T, TKeys extends PropertyKey> = {
  readonly [K in Exclude<keyof T, TKeys>]?: NoSuchWord;
};

/** Allows only properties that a form has, since inferred types are otherwise not checked for misspelled names. */
export type KnownWords<TForm> = TForm extends { readonly _zod: unknown }
  ? unknown
  : TForm extends { readonly fields: infer TFields }
    ? Without<TForm, keyof FormFields> & {
        readonly fields: {
          readonly [I in keyof TFields]: Without<TFields[I], keyof FormFields["fields"][number]>;
        };
      }
    : TForm extends { readonly properties: infer TProperties }
      ? Without<TForm, keyof FormSchema> & {
          readonly properties: {
            readonly [K in keyof TProperties]: Without<TProperties[K], FieldKey<TProperties[K]>>;
          };
          readonly required?: readonly (keyof TProperties)[];
        }
      : unknown;
