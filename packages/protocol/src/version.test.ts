import { createHash } from "node:crypto";

import { expect, test } from "vitest";
import { z } from "zod";

import * as protocol from "./index.ts";

/** Version → hash of every schema and operation. A new hash needs a new version, and a line of history in version.ts. */
const RELEASED: Record<number, string> = {
  1: "b34cb27e5b22022e7495345f1a460f46e694845c30aacf0941c80ce5b91520a0",
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
