import type { FieldSchema, FormSchema } from "@holdpoint/protocol";
import * as fc from "fast-check";

const title = fc.option(fc.string({ maxLength: 8 }), { nil: undefined });
const count = fc.nat({ max: 4 });
/** A minimum and a maximum, each optional. */
const limits = <T>(bound: fc.Arbitrary<T>, order: (one: T, other: T) => number) =>
  fc
    .tuple(bound, bound, fc.boolean(), fc.boolean())
    .map(([one, other, hasLeast, hasMost]): { least?: T; most?: T } => {
      const [least, most] = order(one, other) <= 0 ? [one, other] : [other, one];
      return { ...(hasLeast && { least }), ...(hasMost && { most }) };
    });
const difference = (one: number, other: number) => one - other;
const options = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 7 });
const text = fc.record(
  {
    type: fc.constant("string" as const),
    title,
    format: fc.constantFrom("email", "uri", "date", "date-time"),
  },
  { requiredKeys: ["type"] },
);

const fields: fc.Arbitrary<FieldSchema> = fc.oneof(
  fc.tuple(limits(count, difference), fc.boolean()).map(([{ least, most }, multiline]) => ({
    type: "string" as const,
    ...(least !== undefined && { minLength: least }),
    ...(most !== undefined && { maxLength: most }),
    ...(multiline && { multiline }),
  })),
  text as fc.Arbitrary<FieldSchema>,
  fc.constant({ type: "string" as const, sensitive: true }),
  fc.record({ type: fc.constant("boolean" as const), title }),
  fc
    .tuple(
      fc.constantFrom("number", "integer"),
      limits(fc.integer({ min: -9, max: 9 }), difference),
    )
    .map(([type, { least, most }]) => ({
      type,
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
    })),
  options.map((values) => ({ type: "string" as const, enum: values })),
  options.map((values) => ({
    type: "string" as const,
    oneOf: values.map((value) => ({ const: value })),
  })),
  fc.tuple(options, limits(count, difference)).map(([values, { least, most }]) => ({
    type: "array" as const,
    items: { enum: values },
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
  })),
);

/** Any valid form. */
export const arbitraryFormSchema: fc.Arbitrary<FormSchema> = fc
  .uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), fields, fc.boolean()), {
    selector: ([name]) => name,
    maxLength: 5,
  })
  .map((entries) => ({
    type: "object" as const,
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field])),
    required: entries.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
  }));

const nearTexts = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.string({ maxLength: 3, unit: "grapheme" }),
  fc.constantFrom(
    "",
    " ",
    "yes",
    "no",
    "1",
    "-0",
    "1.5",
    "1,5",
    "1,500",
    "1e3",
    "NaN",
    "2026-02-28",
  ),
  fc.constantFrom("a@b", "https://a.b", "2026-02-28T10:30", "2026-02-28T10:30:00Z"),
);

/** Any input of a field: often a fitting one. */
export function arbitraryInput(field: FieldSchema): fc.Arbitrary<string | string[] | undefined> {
  const offered =
    "enum" in field
      ? field.enum
      : "items" in field && "enum" in field.items
        ? field.items.enum
        : [""];
  return fc.oneof(
    fc.constant(undefined),
    nearTexts,
    fc.constantFrom(...offered),
    fc.subarray([...offered]),
  );
}

/** Any value sent for a field: often a fitting one, otherwise any JSON value. */
export function arbitraryValue(field: FieldSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    arbitraryInput(field),
    fc.integer({ min: -12, max: 12 }),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.jsonValue({ maxDepth: 1 }),
  );
}
