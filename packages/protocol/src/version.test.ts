import { createHash } from "node:crypto";

import { expect, test } from "vitest";
import { z } from "zod";

import * as protocol from "./index.ts";

/** Version → hash of every schema. A new hash needs a new version, and a line of history in version.ts. */
const RELEASED: Record<number, string> = {
  1: "5eabcb17f6529428a0123321f2ab03fc8ea7dbebacb97787fe3918d98412d536",
};

function schemaHash(): string {
  const schemas = Object.entries(protocol)
    .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, schema]) => [
      name,
      z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
    ]);
  return createHash("sha256").update(JSON.stringify(schemas)).digest("hex");
}

test("the protocol's schemas are those of its version", () => {
  expect(schemaHash()).toBe(RELEASED[protocol.PROTOCOL_VERSION]);
});

test("the hash covers every schema that the package exports", () => {
  const names = Object.keys(protocol).filter((name) => name.endsWith("Schema"));
  expect(names.length).toBeGreaterThan(35);
  for (const name of names)
    expect(protocol[name as keyof typeof protocol]).toBeInstanceOf(z.ZodType);
});
