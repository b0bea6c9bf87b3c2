// Each rule that ARCHITECTURE.md promises is held by a test that names it, and each error code is seen by some test.
import { globSync, readFileSync } from "node:fs";

import { ERROR_CODES } from "../packages/protocol/src/error-code.ts";

const rules = [...readFileSync("ARCHITECTURE.md", "utf8").matchAll(/^\| (R-\d+) +\|/gm)].map(
  ([, rule]) => rule ?? "",
);
const tests = globSync(
  ["packages/**/*.test.{ts,tsx}", "packages/**/testing/**/*.ts", "e2e/**/*.test.ts"],
  {
    exclude: ["**/node_modules/**"],
  },
)
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const missing = [
  ...rules.filter((rule) => !tests.includes(`[${rule}]`)),
  ...Object.keys(ERROR_CODES).filter((code) => !tests.includes(`"${code}"`)),
];
process.stdout.write(
  missing.length === 0
    ? `Tests name all ${rules.length} rules and all ${Object.keys(ERROR_CODES).length} error codes.\n`
    : `No test names ${missing.join(", ")}.\n`,
);
process.exit(missing.length === 0 && rules.length > 0 ? 0 : 1);
