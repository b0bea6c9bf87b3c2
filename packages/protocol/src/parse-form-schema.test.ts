import { describe, expect, test } from "vitest";
import { z } from "zod";

import { parseFormSchema } from "./parse-form-schema.ts";
import { ProtocolError } from "./protocol-error.ts";

const withField = (field: unknown) => ({ type: "object", properties: { field } });

/** Where the schema is refused; empty when it is taken. */
function errorsOf(schema: unknown): string[] {
  try {
    parseFormSchema(schema);
    return [];
  } catch (error) {
    if (!ProtocolError.isInstance(error) || error.code !== "INVALID_REQUEST") throw error;
    return Object.keys(error.extras.fieldErrors ?? {});
  }
}

describe("the subset", () => {
  test.each([
    { type: "string" },
    { type: "string", title: "T", description: "D", minLength: 0, maxLength: 3, default: "a" },
    { type: "string", format: "email" },
    { type: "string", format: "date-time", pattern: "Z$" },
    { type: "string", sensitive: true, minLength: 8 },
    { type: "string", multiline: true },
    { type: "number", minimum: 0.5, maximum: 1.5, default: 1 },
    { type: "integer", minimum: 3, maximum: 3 },
    { type: "boolean", default: false },
    { type: "string", enum: ["a", "b"], default: "b" },
    { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
    { type: "string", oneOf: [{ const: "a", title: "A" }] },
    { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2 },
    { type: "array", items: { anyOf: [{ const: "a", title: "A" }] }, default: ["a"] },
  ])("accepts %j", (field) => {
    const schema = withField(field);
    expect(parseFormSchema(schema)).toEqual(schema);
  });

  test("accepts the schema that zod generates for a flat object", () => {
    const schema = z.object({
      name: z.string().min(1).describe("Who"),
      size: z.enum(["s", "m"]).default("m"),
      count: z.int().max(9),
      sure: z.boolean(),
    });
    expect(errorsOf(z.toJSONSchema(schema, { io: "input" }))).toEqual([]);
  });

  test("keeps the order of the fields", () => {
    const properties = { zebra: { type: "string" }, ant: { type: "boolean" } };
    const parsed = parseFormSchema({ type: "object", properties });
    expect(Object.keys(parsed.properties)).toEqual(["zebra", "ant"]);
  });
});

describe("an unsupported schema is refused at its place", () => {
  test.each<[unknown, string]>([
    [{ type: "object", properties: {} }, "properties.field.type"],
    [{ type: "null" }, "properties.field.type"],
    [{ type: ["string", "null"] }, "properties.field.type"],
    [{ enum: ["a"] }, "properties.field.type"],
    ["string", "properties.field.type"],
    [{ type: "string", format: "ipv4" }, "properties.field.format"],
    [{ type: "string", const: "a" }, "properties.field"],
    [{ type: "string", readOnly: true }, "properties.field"],
    [{ type: "string", minLength: -1 }, "properties.field.minLength"],
    [{ type: "string", minLength: 3, maxLength: 2 }, "properties.field.minLength"],
    [{ type: "string", default: 1 }, "properties.field.default"],
    [{ type: "string", sensitive: true, default: "x" }, "properties.field.default"],
    [{ type: "string", sensitive: true, multiline: true }, "properties.field.sensitive"],
    [{ type: "string", multiline: true, format: "email" }, "properties.field.multiline"],
    [{ type: "string", pattern: "a", maxLength: 5000 }, "properties.field.maxLength"],
    [{ type: "number", minimum: 2, maximum: 1 }, "properties.field.minimum"],
    [{ type: "number", multipleOf: 2 }, "properties.field"],
    [{ type: "boolean", default: "no" }, "properties.field.default"],
    [{ type: "string", enum: [] }, "properties.field.enum"],
    [{ type: "string", enum: [1, 2] }, "properties.field.enum.0"],
    [{ type: "string", enum: ["a", "a"] }, "properties.field.enum"],
    [{ type: "string", enum: ["a", "b"], enumNames: ["A"] }, "properties.field.enumNames"],
    [{ type: "string", enum: ["a"], default: "b" }, "properties.field.default"],
    [{ type: "string", oneOf: [{ type: "string" }] }, "properties.field.oneOf.0.const"],
    [{ type: "array", items: { type: "string" } }, "properties.field.items"],
    [{ type: "array", items: { enum: ["a"] }, minItems: 2 }, "properties.field.minItems"],
    [{ type: "array", items: { enum: ["a"] }, default: ["b"] }, "properties.field.default"],
  ])("%j", (field, path) => {
    expect(errorsOf(withField(field))[0]).toBe(path);
  });

  test.each<[unknown, string]>([
    [undefined, "type"],
    [{ properties: {} }, "type"],
    [{ type: "object" }, "properties"],
    [{ type: "object", properties: [] }, "properties"],
    [{ type: "object", properties: {}, required: ["gone"] }, "required"],
    [{ type: "object", properties: {}, additionalProperties: true }, "additionalProperties"],
    [{ type: "object", properties: {}, allOf: [] }, "type"],
  ])("%j", (schema, path) => {
    expect(errorsOf(schema)).toContain(path);
  });

  test.each(["__proto__", "constructor", "prototype"])("a field named %s", (name) => {
    const text = `{"type":"object","properties":{"${name}":{"type":"string"}}}`;
    expect(errorsOf(JSON.parse(text))).toEqual([`properties.${name}`]);
  });

  test("and all faults are listed at once", () => {
    const properties = { a: { type: "file" }, b: { type: "string", format: "color" } };
    expect(errorsOf({ type: "object", properties })).toEqual([
      "properties.a.type",
      "properties.b.format",
    ]);
  });
});
