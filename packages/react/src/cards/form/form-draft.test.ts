import {
  checkFormValues,
  isSensitiveField,
  type FieldSchema,
  type Form,
  type FormSchema,
} from "@holdpoint/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  arbitraryFormSchema,
  arbitraryInput,
  arbitraryValue,
} from "../../testing/arbitrary-form.ts";
import { ENGLISH, translateTo } from "../../words/translate.ts";
import { toDisplayFields } from "./display-fields.ts";
import {
  checkForm,
  createFormDraft,
  parseFormDraft,
  toStoredForm,
  type FieldInput,
} from "./form-draft.ts";

const fieldsOf = (form: Form) => toDisplayFields(form, translateTo(ENGLISH));

describe("the text of a field", () => {
  const read = (field: FieldSchema, input: FieldInput, required = true) => {
    const properties = { field };
    const fields = fieldsOf({
      schema: { type: "object", properties, ...(required && { required: ["field"] }) },
    });
    const result = checkForm(fields, new Map([["field", input]]));
    return result.errors.get("field") ?? result.values["field"];
  };

  test.each<[FieldSchema, FieldInput, unknown]>([
    [{ type: "string" }, " as typed ", " as typed "],
    [{ type: "string", format: "email" }, " a@b.c ", "a@b.c"],
    [{ type: "string", format: "email" }, "a b", "Enter an e-mail address."],
    [{ type: "string", format: "uri" }, "example.org", "Enter a whole address, with https://."],
    [{ type: "string", format: "date" }, "2026-02-28", "2026-02-28"],
    [{ type: "string", format: "date" }, "2026-02-30", "Enter a date."],
    [{ type: "string", format: "date-time" }, "tomorrow", "Enter a date and a time."],
    [{ type: "string", sensitive: true }, " s ", " s "],
    [{ type: "string", enum: ["a"] }, "b", "Choose one of the options."],
    [{ type: "string" }, "  ", "Required."],
    [{ type: "number" }, " 1.5 ", 1.5],
    [{ type: "number" }, "1,5", 1.5],
    [{ type: "number" }, ",25", 0.25],
    [{ type: "number" }, "-0", 0],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "number" }, "1,000", "Write it without separators, such as 1000 or 1.5."],
    [{ type: "number" }, "1.000,000", "Write it without separators, such as 1000 or 1.5."],
    [{ type: "number" }, "0x10", "Enter a number."],
    [{ type: "number" }, "NaN", "Enter a number."],
    [{ type: "number" }, "1e999", "Enter a number."],
    [{ type: "integer" }, "1.5", "Enter a whole number."],
    [{ type: "integer" }, "9007199254740993", "This number is too large to be exact."],
    [{ type: "boolean" }, "no", false],
    [{ type: "array", items: { enum: ["a", "b"] } }, ["b"], ["b"]],
    [{ type: "array", items: { enum: ["a", "b"] } }, [], "Choose at least one."],
    [{ type: "array", items: { enum: ["a", "b"] }, minItems: 0 }, [], []],
  ])("%j with %j is %j", (field, input, expected) => {
    expect(read(field, input)).toEqual(expected);
  });

  test.each<[FieldSchema, FieldInput]>([
    [{ type: "string", minLength: 3 }, " "],
    [{ type: "number", minimum: 3 }, ""],
    [{ type: "array", items: { enum: ["a"] }, minItems: 1 }, []],
  ])("%j, optional and empty, is not sent", (field, input) => {
    expect(read(field, input, false)).toBeUndefined();
  });
});

describe("card and gateway", () => {
  const drafts = arbitraryFormSchema.chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      inputs: fc.tuple(...Object.values(schema.properties).map(arbitraryInput)),
    }),
  );

  test("[R-11] the gateway accepts everything that the card sends", () => {
    let sentCount = 0;
    fc.assert(
      fc.property(drafts, ({ schema, inputs }) => {
        const draft = new Map(
          Object.keys(schema.properties).flatMap((name, place) => {
            const input = inputs[place];
            return input === undefined ? [] : [[name, input] as const];
          }),
        );
        const { values, errors } = checkForm(fieldsOf({ schema }), draft);
        if (errors.size > 0) return;
        sentCount += 1;
        const arrived = JSON.parse(JSON.stringify(values)) as Record<string, unknown>;
        expect(checkFormValues(schema, arrived)).toEqual(new Map());
        expect(arrived).toEqual(values);
      }),
      { numRuns: 2000 },
    );
    expect(sentCount).toBeGreaterThan(200);
  });

  const answers = arbitraryFormSchema.chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      given: fc.tuple(...Object.values(schema.properties).map(arbitraryValue)),
    }),
  );

  test("everything that the gateway accepts can be filled into the card and sent again", () => {
    let takenCount = 0;
    fc.assert(
      fc.property(answers, ({ schema, given }) => {
        const names = Object.keys(schema.properties);
        const values = Object.fromEntries(
          names.flatMap((name, place) =>
            given[place] === undefined ? [] : [[name, given[place]] as const],
          ),
        );
        if (checkFormValues(schema, values).size > 0) return;
        takenCount += 1;
        const fields = fieldsOf({ schema, initialValues: values });
        const again = checkForm(fields, createFormDraft(fields));
        expect(again.errors).toEqual(new Map());
        expect(meaning(schema, again.values)).toEqual(meaning(schema, values));
      }),
      { numRuns: 2000 },
    );
    expect(takenCount).toBeGreaterThan(200);
  });

  /** Values as a person means them: an instant has many spellings, and an empty optional field has two. */
  function meaning(schema: FormSchema, values: Readonly<Record<string, unknown>>) {
    const isBlank = (value: unknown) =>
      (typeof value === "string" && value.trim() === "") ||
      (Array.isArray(value) && value.length === 0);
    return new Map(
      Object.entries(values).flatMap(([name, value]) => {
        const field = schema.properties[name];
        const isText = field?.type === "string" && !("enum" in field) && !("oneOf" in field);
        if (isBlank(value) && (isText || field?.type === "array")) return [];
        const isInstant = field !== undefined && "format" in field && field.format === "date-time";
        if (isInstant) return [[name, new Date(String(value)).getTime()] as const];
        return [[name, value === 0 ? 0 : value] as const];
      }),
    );
  }
});

describe("a stored draft", () => {
  const fields = fieldsOf({
    schema: {
      type: "object",
      properties: { name: { type: "string" }, token: { type: "string", sensitive: true } },
    },
  });

  test("[R-19] has no secret, and fills none in", () => {
    const draft = new Map([
      ["name", "Ada"],
      ["token", "s3cret"],
    ]);
    expect(fields.filter(({ schema }) => isSensitiveField(schema))).toHaveLength(1);
    const stored = toStoredForm(fields, draft);
    expect(JSON.stringify(stored)).not.toContain("s3cret");
    expect(parseFormDraft(fields, [...draft])).toEqual(new Map([["name", "Ada"]]));
  });

  test.each([undefined, {}, "text"])("leaves the defaults if it is invalid (%j)", (stored) => {
    expect(parseFormDraft(fields, stored)).toBeUndefined();
  });

  test("loses values that no longer fit", () => {
    expect(parseFormDraft(fields, [["name", ["list"]], ["gone", "x"], "odd", [1, "x"]])).toEqual(
      new Map(),
    );
  });
});

test("fields may have any name, keep the requested order, and keep defaults", () => {
  const properties = JSON.parse(
    '{"a":{"type":"string"},"toString":{"type":"string","default":"x"},"b":{"type":"boolean"}}',
  ) as FormSchema["properties"];
  const fields = fieldsOf({
    schema: { type: "object", properties },
    order: ["b", "gone", "b"],
    initialValues: { a: "filled" },
  });
  expect(fields.map(({ name }) => name)).toEqual(["b", "a", "toString"]);
  expect(createFormDraft(fields)).toEqual(
    new Map([
      ["a", "filled"],
      ["toString", "x"],
    ]),
  );
});
