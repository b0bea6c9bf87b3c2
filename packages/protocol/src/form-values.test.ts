import { describe, expect, test } from "vitest";

import type { FieldSchema, FormSchema } from "./form-schema.ts";
import { checkFieldValue, checkFormValues, MAX_PATTERN_TEXT_LENGTH } from "./form-values.ts";

const check = (field: FieldSchema, value: unknown, required = true) =>
  checkFieldValue(field, value, { required });

const sizes: FieldSchema = { type: "array", items: { enum: ["s", "m", "l"] } };

describe("the rules of a field", () => {
  test.each<[FieldSchema, unknown]>([
    [{ type: "string" }, "x"],
    [{ type: "string", maxLength: 2 }, "👍👍"],
    [{ type: "string", minLength: 2 }, "👍👍"],
    [{ type: "string", format: "date" }, "2024-02-29"],
    [{ type: "number" }, 1.5],
    [{ type: "number", minimum: 1, maximum: 1 }, 1],
    [{ type: "integer" }, Number.MAX_SAFE_INTEGER],
    [{ type: "boolean" }, true],
    [{ type: "boolean" }, false],
    [{ type: "string", enum: ["", "b"] }, ""],
    [{ type: "string", oneOf: [{ const: "a" }] }, "a"],
    [sizes, ["s", "l"]],
    [{ ...sizes, minItems: 0 }, []],
    [{ type: "array", items: { anyOf: [{ const: "a" }] }, maxItems: 1 }, ["a"]],
  ])("%j accepts %j", (field, value) => {
    expect(check(field, value)).toBeUndefined();
  });

  test.each<[FieldSchema, unknown, string]>([
    [{ type: "string" }, 1, "Enter text."],
    [{ type: "string" }, null, "Enter text."],
    [{ type: "string" }, "", "Required."],
    [{ type: "string" }, " \n ", "Required."],
    [{ type: "string", minLength: 3 }, "👍👍", "Enter at least 3 characters."],
    [{ type: "string", maxLength: 1 }, "ab", "Enter at most 1 character."],
    [{ type: "string", format: "email" }, "a b", "Enter an e-mail address."],
    [{ type: "string", format: "uri" }, "javascript:0", "Enter a whole address, with https://."],
    [{ type: "string", format: "date" }, "2026-02-29", "Enter a date."],
    [{ type: "string", format: "date-time" }, "2026-02-28", "Enter a date and a time."],
    [{ type: "number" }, "1", "Enter a number."],
    [{ type: "number" }, NaN, "Enter a number."],
    [{ type: "number" }, Infinity, "Enter a number."],
    [{ type: "integer" }, 1.5, "Enter a whole number."],
    [{ type: "integer" }, 2 ** 53, "This number is too large to be exact."],
    [{ type: "number", minimum: 2 }, 1, "Enter 2 or more."],
    [{ type: "number", maximum: 2 }, 3, "Enter 2 or less."],
    [{ type: "boolean" }, "false", "Answer Yes or No."],
    [{ type: "boolean" }, null, "Answer Yes or No."],
    [{ type: "string", enum: ["a"] }, "b", "Choose one of the options."],
    [{ type: "string", enum: ["toString"] }, "valueOf", "Choose one of the options."],
    [sizes, "s", "Choose from the options."],
    [sizes, ["xl"], "Choose from the options."],
    [sizes, ["s", "s"], "An option was chosen twice."],
    [sizes, [], "Choose at least one."],
    [{ ...sizes, minItems: 2 }, ["s"], "Choose at least 2."],
    [{ ...sizes, maxItems: 1 }, ["s", "m"], "Choose at most 1."],
  ])("[R-11] %j refuses %j", (field, value, words) => {
    expect(check(field, value)).toBe(words);
  });

  test("No answers a required boolean; nothing does not", () => {
    expect(check({ type: "boolean" }, false)).toBeUndefined();
    expect(check({ type: "boolean" }, undefined)).toBe("Answer Yes or No.");
  });

  test("an optional field accepts an empty text and a missing value", () => {
    for (const field of [{ type: "string" }, { type: "integer" }, { type: "boolean" }] as const) {
      expect(check(field, undefined, false)).toBeUndefined();
    }
    expect(check({ type: "string" }, "", false)).toBeUndefined();
    expect(check(sizes, [], false)).toBeUndefined();
  });

  test("text that is matched against a pattern is bounded", () => {
    const field: FieldSchema = { type: "string", pattern: "a" };
    expect(check(field, "a".repeat(MAX_PATTERN_TEXT_LENGTH))).toBeUndefined();
    expect(check(field, "a".repeat(MAX_PATTERN_TEXT_LENGTH + 1))).toMatch(/at most 4096/);
  });
});

describe("the rules of a form", () => {
  const schema: FormSchema = {
    type: "object",
    properties: { name: { type: "string" }, sure: { type: "boolean" } },
    required: ["sure"],
  };
  const errors = (values: Record<string, unknown>) => [...checkFormValues(schema, values).keys()];

  test("[R-11] a required field must be present, and no other fields may be", () => {
    expect(errors({ sure: false })).toEqual([]);
    expect(errors({ name: "Ada" })).toEqual(["sure"]);
    expect(errors({ sure: true, toString: 1 })).toEqual(["toString"]);
  });

  test.each(["__proto__", "constructor", "prototype", "hasOwnProperty"])(
    "[R-11] %s is no field of any form",
    (name) => {
      const values = JSON.parse(`{"sure":true,"${name}":{"polluted":true}}`) as {};
      expect(errors(values)).toEqual([name]);
    },
  );

  test("an inherited value does not count", () => {
    expect(errors(Object.create({ sure: true }) as {})).toEqual(["sure"]);
  });
});
