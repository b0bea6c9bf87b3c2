import { expect, test } from "vitest";

import { toPathIn } from "./path-in.ts";

test.each([
  ["/work", "/work/src/a.ts", "src/a.ts"],
  ["/work/", "/work/a.ts", "a.ts"],
  ["/work", "/work/..a/...", "..a/..."],
])("in %s, %s is shown as %s", (folder, path, shown) => {
  expect(toPathIn(folder, path)).toBe(shown);
});

test.each([
  ["/work", "/etc/passwd"],
  ["/work", "/workshop/a.ts"],
  ["/work", "/work"],
  ["/work", "/work/"],
  ["/work", "/work/../etc/passwd"],
  ["/work", "/work/src/../../etc/passwd"],
  ["/work", "/work/./a.ts"],
  ["/work", "/work//a.ts"],
  ["/work", "/work/src/"],
  ["", "/etc/passwd"],
  ["", "etc/passwd"],
  ["/", "/etc/passwd"],
])("[R-6] in %j, %j stays whole, since it is not or may not be inside", (folder, path) => {
  expect(toPathIn(folder, path)).toBe(path);
});
