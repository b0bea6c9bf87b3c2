import { z } from "zod";

/*
 * The fields of a form: the subset of JSON Schema used by MCP elicitation, a flat object, plus three additional
 * keywords:
 * `sensitive` and `multiline` for text, and `control` for single choices. Everything else is refused, so that no one
 * relies on a rule that is not enforced.
 */

const about = { title: z.string().optional(), description: z.string().optional() };
const countSchema = z.int().min(0);
/** The control for a single choice. Default: depends on the number of options. */
const controlSchema = z.enum(["radio", "select"]).optional();

export const textFieldSchema = z.strictObject({
  ...about,
  type: z.literal("string"),
  /** Lengths are counted in code points. */
  minLength: countSchema.optional(),
  maxLength: countSchema.optional(),
  /** RE2 syntax. Matches anywhere in the text unless anchored. */
  pattern: z.string().max(1000).optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  default: z.string().optional(),
  /** Only the agent gets the value. It is masked while it is typed. */
  sensitive: z.boolean().optional(),
  multiline: z.boolean().optional(),
});
export type TextField = z.infer<typeof textFieldSchema>;

export const numberFieldSchema = z.strictObject({
  ...about,
  type: z.enum(["number", "integer"]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
export type NumberField = z.infer<typeof numberFieldSchema>;

export const booleanFieldSchema = z.strictObject({
  ...about,
  type: z.literal("boolean"),
  default: z.boolean().optional(),
});
export type BooleanField = z.infer<typeof booleanFieldSchema>;

const valuesSchema = z.array(z.string()).min(1);
const titledValuesSchema = z
  .array(z.strictObject({ const: z.string(), title: z.string().optional() }))
  .min(1);

export const choiceFieldSchema = z.strictObject({
  ...about,
  type: z.literal("string"),
  enum: valuesSchema,
  /** Titles in the order of `enum`. Prefer `oneOf`. */
  enumNames: z.array(z.string()).optional(),
  default: z.string().optional(),
  control: controlSchema,
});
export type ChoiceField = z.infer<typeof choiceFieldSchema>;

export const titledChoiceFieldSchema = z.strictObject({
  ...about,
  type: z.literal("string"),
  oneOf: titledValuesSchema,
  default: z.string().optional(),
  control: controlSchema,
});
export type TitledChoiceField = z.infer<typeof titledChoiceFieldSchema>;

export const choicesFieldSchema = z.strictObject({
  ...about,
  type: z.literal("array"),
  items: z.union([
    z.strictObject({ type: z.literal("string").optional(), enum: valuesSchema }),
    z.strictObject({ type: z.literal("string").optional(), anyOf: titledValuesSchema }),
  ]),
  minItems: countSchema.optional(),
  maxItems: countSchema.optional(),
  /** Values are always unique, even without this keyword. */
  uniqueItems: z.literal(true).optional(),
  default: z.array(z.string()).optional(),
});
export type ChoicesField = z.infer<typeof choicesFieldSchema>;

export type FieldSchema =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | TitledChoiceField
  | ChoicesField;

const fieldSchema = z.union([
  textFieldSchema,
  numberFieldSchema,
  booleanFieldSchema,
  choiceFieldSchema,
  titledChoiceFieldSchema,
  choicesFieldSchema,
]);

/** A flat form. Its fields are asked in the order of `properties`. */
export const formSchema = z.strictObject({
  $schema: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.literal("object"),
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).optional(),
  /** Unknown fields are always refused, even without this keyword. */
  additionalProperties: z.literal(false).optional(),
});
export type FormSchema = z.infer<typeof formSchema>;
