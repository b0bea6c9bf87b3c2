import { createHash } from "node:crypto";

import { expect, test } from "vitest";
import { z } from "zod";

import * as protocol from "./index.ts";

/** Version → hash of every schema. A new hash needs a new version, and a line of history in version.ts. */
const RELEASED: Record<number, string> = {
  1: "683cc636f95bfb2bac8b1d94cd54632aa9469e6bd4310586c5ced24e481ac33a",
  2: "c8978319bd0c4ae1a3ed39cdab3a82679921d2de6dea4f613a2ce06efb375932",
};

const schemas = Object.entries<unknown>(protocol)
  .filter(([name, value]) => name.endsWith("Schema") && typeof value !== "function")
  .toSorted(([left], [right]) => (left < right ? -1 : 1));

function schemaHash(): string {
  const jsonSchemas = schemas.map(([name, schema]) => {
    if (!(schema instanceof z.ZodType)) throw new Error(`${name} is not a schema`);
    return [name, z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })];
  });
  const text = JSON.stringify([jsonSchemas, protocol.ERROR_CODES]);
  return createHash("sha256").update(text).digest("hex");
}

test("the protocol's schemas are those of its version", () => {
  expect(schemaHash()).toBe(RELEASED[protocol.PROTOCOL_VERSION]);
});

test("the hash covers the package's schemas", () => {
  expect(schemas.length).toBeGreaterThan(35);
});
