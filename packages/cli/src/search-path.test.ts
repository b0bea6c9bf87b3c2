import { expect, test } from "vitest";

import { withoutOwnPrograms } from "./search-path.ts";

test("the search path has no folder of the project that the gateway was started in", () => {
  const own = ["/home/a/work/node_modules/.bin", "/home/a/node_modules/.bin", "/node_modules/.bin"];
  const relative = ["", ".", "bin", "./node_modules/.bin", "../bin"];
  const others = [
    "/usr/bin",
    "/home/a/work/.venv/bin",
    "/home/a/.config/yarn/global/node_modules/.bin",
    "/home/a/work-2/node_modules/.bin",
    "/home/a/work/sub/node_modules/.bin",
  ];
  const path = [...own, ...others, ...relative].join(":");
  expect(withoutOwnPrograms(path, "/home/a/work").split(":")).toEqual(others);
  expect(withoutOwnPrograms("", "/home/a/work")).toBe("");
});
