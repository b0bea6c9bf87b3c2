import { describe, expect, test } from "vitest";

import { compileParameters } from "./tool-parameters.ts";

const text = { type: "string" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** Modelled on published servers: a schema, valid arguments, and invalid ones. */
const PUBLISHED: readonly [string, object, object, object?][] = [
  ["nothing", {}, { any: 1 }],
  ["no arguments", { type: "object" }, {}],
  [
    "either of two, as Notion",
    object(
      { page_id: text, url: text },
      { anyOf: [{ required: ["page_id"] }, { required: ["url"] }] },
    ),
    { url: "x" },
    {},
  ],
  [
    "one of two, as GitHub",
    object({ path: text, sha: text }, { oneOf: [{ required: ["path"] }, { required: ["sha"] }] }),
    { sha: "x" },
    { other: 1 },
  ],
  [
    "a field that needs another, as Stripe",
    object({ card: text, cvc: text }, { dependentRequired: { card: ["cvc"] } }),
    { card: "1", cvc: "2" },
    { card: "1" },
  ],
  [
    "conditions",
    object(
      { kind: text, path: text },
      // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
      { if: { properties: { kind: { const: "file" } } }, ["then"]: { required: ["path"] } },
    ),
    { kind: "url" },
    { kind: 5 },
  ],
  [
    "a word that is not allowed",
    object({ state: { ...text, not: { const: "any" } } }),
    { state: "open" },
    { state: 1 },
  ],
  [
    "a relative address",
    object({ link: { ...text, format: "uri-reference" } }),
    { link: "../docs/a.md" },
    { link: 1 },
  ],
  [
    "an address",
    object({ link: { ...text, format: "uri" } }),
    { link: "https://a.b/c" },
    { link: "../a" },
  ],
  [
    "a pattern of Python, as Sentry",
    object({ slug: { ...text, pattern: "\\A(?P<slug>[a-z]+)\\Z" } }),
    { slug: "a-b" },
  ],
  [
    "a pattern of JavaScript",
    object({ slug: { ...text, pattern: "^[a-z]+$" } }),
    { slug: "ab" },
    { slug: "1" },
  ],
  [
    "a pattern in an old style",
    object({ slug: { ...text, pattern: "^[\\w\\-\\_]+$" } }),
    { slug: "a_b" },
  ],
  [
    "definitions of 2020-12",
    object({ to: { $ref: "#/$defs/id" } }, { $schema: DRAFT_2020, $defs: { id: text } }),
    { to: "x" },
    { to: 1 },
  ],
  [
    "definitions of draft 7",
    object({ to: { $ref: "#/definitions/id" } }, { $schema: DRAFT_7, definitions: { id: text } }),
    { to: "x" },
    { to: 1 },
  ],
  ["a schema in another place", object({ to: { $ref: "https://a.b/c.json" } }), { to: {} }],
  [
    "a tree",
    object(
      { tree: { $ref: "#/$defs/n" } },
      { $defs: { n: object({ of: { type: "array", items: { $ref: "#/$defs/n" } } }) } },
    ),
    { tree: { of: [{ of: [] }] } },
    { tree: { of: [1] } },
  ],
  ["null, as Linear", object({ a: { type: ["string", "null"] } }), { a: null }, { a: 1 }],
  [
    "null, as FastMCP",
    object({ a: { anyOf: [text, { type: "null" }], default: null } }),
    {},
    { a: 1 },
  ],
  [
    "a filter of several kinds",
    object({ f: { oneOf: [text, object({ eq: text })] } }),
    { f: { eq: "x" } },
    { f: 1 },
  ],
  [
    "parts",
    { allOf: [object({ a: text }, { required: ["a"] }), object({ b: text })] },
    { a: "x" },
    { b: "x" },
  ],
  [
    "kinds",
    {
      type: "object",
      oneOf: [object({ a: text }, { required: ["a"] }), object({ b: text }, { required: ["b"] })],
    },
    { b: "x" },
    {},
  ],
  [
    "nothing beside its fields",
    object({ a: text }, { additionalProperties: false }),
    { a: "x" },
    { b: 1 },
  ],
  [
    "fields by pattern",
    { type: "object", patternProperties: { "^x-": text, "(?P<a>b)": text } },
    { "x-a": "1" },
    { "x-a": 1 },
  ],
  [
    "nothing that was not looked at",
    object({ a: text }, { unevaluatedProperties: false }),
    { a: "x" },
  ],
  [
    "a field with the name of a word",
    object({ if: text, not: text, format: text }),
    { if: "a", not: "b" },
    { not: 1 },
  ],
  [
    "bounds of draft 4",
    object({ n: { type: "integer", minimum: 0, exclusiveMinimum: true } }),
    { n: 1 },
    { n: 0 },
  ],
  [
    "a list of its own for each place",
    object({ p: { type: "array", items: [text, { type: "number" }] } }),
    { p: ["a", 1] },
    { p: [1, "a"] },
  ],
];

describe("the published schema of a tool's parameters", () => {
  test.each(PUBLISHED)("%s", async (_, schema, taken, refused) => {
    const parameters = compileParameters(schema);
    const { inputSchema } = parameters;
    expect(inputSchema["type"]).toBe("object");
    const words = Object.keys(inputSchema).join(" ");
    expect(words).not.toMatch(/\$schema|(?:any|one|all)Of/u);
    expect(await parameters.parse(taken)).toMatchObject({ status: "valid", args: taken });
    const status = refused && (await parameters.parse(refused)).status;
    expect(status).toBe(refused && "invalid");
  });

  test("is the schema that the agent reads, with the fields of all its parts", () => {
    const schema = object(
      { a: { ...text, format: "uri-reference" } },
      { dependentRequired: { a: ["b"] }, $schema: DRAFT_7 },
    );
    const { $schema: _, ...read } = schema as Record<string, unknown>;
    expect(compileParameters(schema).inputSchema).toEqual(read);
    const parts = {
      allOf: [object({ a: text }, { required: ["a"] })],
      properties: { b: text },
      required: ["b"],
    };
    expect(compileParameters(parts).inputSchema).toEqual(
      object({ a: text, b: text }, { required: ["b", "a"] }),
    );
  });

  test("names missing arguments", async () => {
    const either = object({}, { anyOf: [{ required: ["a", "b"] }, { required: ["c"] }] });
    expect(await compileParameters(either).parse({ a: 1 })).toEqual({
      status: "invalid",
      message: "Give a and b, or c.",
    });
    const needs = object({}, { dependentRequired: { card: ["cvc"] } });
    expect(await compileParameters(needs).parse({ card: 1 })).toEqual({
      status: "invalid",
      message: "card needs cvc as well.",
    });
  });

  test("is refused with the reason if it is invalid", () => {
    expect(() => compileParameters({ type: "array", items: text })).toThrow("not an object");
    expect(() => compileParameters(object({ a: { $ref: "#/nowhere/x" } }))).toThrow(
      /cannot be used: .*x/,
    );
  });
});
