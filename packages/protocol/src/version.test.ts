import { createHash } from "node:crypto";

import { expect, test } from "vitest";
import { z } from "zod";

import * as protocol from "./index.ts";

/** Version → hash of every schema and operation. A new hash needs a new version, and a line of history in version.ts. */
const RELEASED: Record<number, string> = {
  1: "683cc636f95bfb2bac8b1d94cd54632aa9469e6bd4310586c5ced24e481ac33a",
  2: "9a8c4f21eaa2d424c0de2548cf68585eb66d079ac776e611b1224951dca6d367",
  3: "03c0acf9914ecf1ee87d1304fcb57124d829c6f3499dc544a1f694051017ca58",
  4: "c5f952b58acf8346a93526a7137c84145d2b2bf5f0fdb43ae7d731e5bc992370",
  5: "c7829aff6d902d516ba4fe2db07b2e3339a47228c8dc6589642de66a2bc3c7cc",
};

const schemas = Object.entries<unknown>(protocol)
  .filter(([name, value]) => name.endsWith("Schema") && typeof value !== "function")
  .toSorted(([left], [right]) => (left < right ? -1 : 1));

function toJson(schema: unknown): unknown {
  if (!(schema instanceof z.ZodType)) throw new Error("This is no schema.");
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

function describeOperation(name: protocol.OperationName): unknown {
  const { access, answer, errors, query, body } = protocol.detailsOf(name);
  const [input, output] = [query ?? body, answer.schema].map((schema) => schema && toJson(schema));
  return [name, protocol.OPERATIONS[name], access, answer.status, errors, input, output];
}

function schemaHash(): string {
  const jsonSchemas = schemas.map(([name, schema]) => [name, toJson(schema)]);
  const operations = protocol.OPERATION_NAMES.map(describeOperation);
  const text = JSON.stringify([jsonSchemas, protocol.ERROR_CODES, operations]);
  return createHash("sha256").update(text).digest("hex");
}

test("the protocol version matches its schemas and operations", () => {
  expect(schemaHash()).toBe(RELEASED[protocol.PROTOCOL_VERSION]);
});

test("the hash covers the package's schemas", () => {
  expect(schemas.length).toBeGreaterThan(35);
});
