import { parseFormSchema } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { formFromFields, isFormFields, type FormField } from "./form-fields.ts";

const options = [
  { value: "ts", label: "TypeScript" },
  { value: "py", label: "Python" },
];

describe("a list of fields", () => {
  test("becomes a schema for a request, in the order of the list", () => {
    const fields: FormField[] = [
      { id: "name", type: "text", label: "Name", description: "In full", required: true },
      { id: "notes", type: "textarea", label: "Notes", defaultValue: "none" },
      { id: "language", type: "select", label: "Language", options, required: true },
      { id: "editor", type: "radio", label: "Editor", options },
      { id: "agree", type: "checkbox", label: "Agree" },
      { id: "tools", type: "checkbox", label: "Tools", options },
      { id: "age", type: "number", label: "Age" },
      { id: "day", type: "date", label: "Day" },
      { id: "token", type: "text", label: "Token", sensitive: true },
    ];
    const { schema, initialValues } = formFromFields({ type: "form", fields });
    const parsed = parseFormSchema(schema);
    expect(Object.keys(parsed.properties)).toEqual(fields.map(({ id }) => id));
    expect(parsed.required).toEqual(["name", "language"]);
    expect(initialValues).toEqual({ notes: "none" });
    expect(parsed.properties).toMatchObject({
      name: { type: "string", title: "Name", description: "In full" },
      notes: { type: "string", multiline: true },
      language: {
        oneOf: [{ const: "ts", title: "TypeScript" }, { const: "py" }],
        control: "select",
      },
      editor: { control: "radio" },
      agree: { type: "boolean" },
      tools: { type: "array", items: { anyOf: [{ const: "ts" }, { const: "py" }] } },
      day: { format: "date" },
      token: { sensitive: true },
    });
  });

  test("is distinguished from a schema", () => {
    expect(isFormFields({ type: "form", fields: [] })).toBe(true);
    expect(isFormFields({ type: "object", properties: {} })).toBe(false);
  });

  test.each([
    [{ type: "form", fields: "name" }, /not a list/],
    [{ type: "form", fields: ["text", "date"].map((type) => ({ id: "a", type })) }, /same id/],
    [{ type: "form", fields: [{ id: "a", type: "select", label: "A" }] }, /a has no options/],
  ])("is refused if it is invalid: %#", (list, problem) => {
    expect(() => formFromFields(list as never)).toThrow(problem);
  });
});
