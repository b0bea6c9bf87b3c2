import { parseFormSchema } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { formErrors } from "./form-errors.ts";

const schema = parseFormSchema({
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[A-Z]{2}\\d+$" },
    part: { type: "string", pattern: "b", minLength: 3 },
  },
  required: ["code"],
});

test("[R-11] a text has the form of its pattern, found anywhere unless anchored", () => {
  expect(formErrors(schema, { code: "AB1", part: "abc" })).toEqual({});
  expect(formErrors(schema, { code: "xAB1", part: "xyz" })).toEqual({
    "values.code": "Wrong format.",
    "values.part": "Wrong format.",
  });
});

test("a text that breaks another rule is not matched, and neither is a missing one", () => {
  expect(formErrors(schema, { code: "A".repeat(5000) })).toEqual({
    "values.code": "Enter at most 4096 characters.",
  });
  expect(formErrors(schema, { part: "b" })).toEqual({
    "values.code": "Required.",
    "values.part": "Enter at least 3 characters.",
  });
});

test("no error quotes the entered text", () => {
  expect(JSON.stringify(formErrors(schema, { code: "s3cret", part: "s3" }))).not.toContain("s3");
});
