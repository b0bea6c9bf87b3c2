import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { z } from "zod";

import { COMMANDS } from "../command-line.ts";
import { VARIABLE_NAMES } from "../variables.ts";
import { configSchema } from "./config-file.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "../../../../guides/operations.md"), "utf8");

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** Every key of the config file, such as `agents.isolate` and `notify.webhooks[].url`. */
function keysOf({ properties, items }: JsonSchema, path = ""): string[] {
  if (items) return keysOf(items, `${path}[]`);
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([key, value]) =>
    keysOf(value, path === "" ? key : `${path}.${key}`),
  );
}

/** The first cells of the table under a heading. */
function cellsUnder(heading: string): string[] {
  const [, after = ""] = GUIDE.split(`### ${heading}\n`);
  const [section = ""] = after.split(/^##/mu);
  const cells = [...section.matchAll(/^\| `([^`]+)`/gmu)].map(([, cell = ""]) => cell);
  expect(cells.length).toBeGreaterThan(10);
  return cells;
}

test("the guide has every key of the config file, and no other", () => {
  const schema = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  const keys = keysOf(schema as JsonSchema).map((key) => key.replace(/\[\]$/u, ""));
  expect(cellsUnder("Keys of the config file").toSorted()).toEqual(keys.toSorted());
});

test("the guide has every flag of every command, and no other", () => {
  const flags = new Set(Object.values(COMMANDS).flatMap((command) => Object.keys(command)));
  expect(cellsUnder("Flags").toSorted()).toEqual([...flags].map((flag) => `--${flag}`).toSorted());
});

test("the guide has every variable, and no other", () => {
  const names = VARIABLE_NAMES.map((name) => `HOLDPOINT_${name}`);
  expect(cellsUnder("Variables").toSorted()).toEqual(names.toSorted());
});
