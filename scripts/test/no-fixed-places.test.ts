import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const OWN = "scripts/test/no-fixed-places.test.ts";
const FILES = globSync([
  "{bench,e2e,guides,scripts}/**/*.test.ts",
  "e2e/**/support/**/*.ts",
  "packages/*/{src,e2e}/**/*.test.{ts,tsx}",
  "packages/*/{src,e2e}/**/{support,testing}/**/*.ts",
]).filter((path) => path !== OWN);

/** Patterns that work only while nothing else runs, each with an alternative. */
const FAULTS: readonly (readonly [fault: string, pattern: RegExp])[] = [
  ["listens on a fixed port: listen on port 0", /\.listen\(\s*[1-9]/u],
  ["gives its port away and takes it again: use openLine()", /\.listen\((?:port|\w+\.port)\b/u],
  ["writes below /tmp: use tmpdir()", /(?:touch|>|mkdir|writeFile\w*\()\s*["'`]?\/tmp\//u],
  [
    "limits elapsed time by a number: use timeHere()",
    /performance\.now\(\)[^;\n]*\)\.toBeLessThan\(\d/u,
  ],
];

test(`none of ${FILES.length} files of tests needs a fixed port, a shared file or a quiet machine`, () => {
  expect(FILES.length).toBeGreaterThan(300);
  const found = FILES.flatMap((path) => {
    const source = readFileSync(path, "utf8");
    return FAULTS.filter(([, pattern]) => pattern.test(source)).map(
      ([fault]) => `${path} ${fault}`,
    );
  });
  expect(found).toEqual([]);
});
