// Checks that each rule of ARCHITECTURE.md is named in the title of a test, and that each error code is asserted by
// one.
import { globSync, readFileSync } from "node:fs";

import { ERROR_CODES } from "../packages/protocol/src/error-code.ts";
import { findUntestedRules, readRules } from "./rules/find-untested.ts";
import { readTestFile } from "./rules/read-test-file.ts";

const FILES = [
  "packages/**/*.test.{ts,tsx}",
  "packages/**/testing/**/*.ts",
  "{e2e,guides,scripts}/**/*.test.ts",
];
const read = globSync(FILES, { exclude: ["**/node_modules/**"] }).map((file) =>
  readTestFile(file, readFileSync(file, "utf8")),
);
const codes = Object.keys(ERROR_CODES);
const asserted = new Set(read.flatMap((file) => file.asserted));
const rules = findUntestedRules(read.flatMap(({ titles }) => titles));
const unseen = codes.filter((code) => !asserted.has(code));
if (rules.length > 0) console.log(`No test's title names ${rules.join(", ")}.`);
if (unseen.length > 0) console.log(`No test asserts ${unseen.join(", ")}.`);
if (rules.length + unseen.length > 0) process.exit(1);
console.log(`Tests hold all ${readRules().length} rules and all ${codes.length} error codes.`);
