import { globSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

const FOLDERS = ["packages/react/src/styles", "packages/react/gallery", "packages/web/src/styles"];
const files = FOLDERS.flatMap((folder) => globSync(`${folder}/*.css`)).map((path) => ({
  path,
  text: readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//gu, ""),
}));
const all = files.map(({ text }) => text).join("\n");

function unique(pattern: RegExp): readonly string[] {
  return [...new Set([...all.matchAll(pattern)].map(([, name = ""]) => name))].toSorted();
}

describe("the styles", () => {
  test("are found", () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  test.each(files)("$path follows the person's font size: no font has a size in px", ({ text }) => {
    const fonts = [...text.matchAll(/(?<![\w-])font(?:-size)?:[^;}]*/gu)].map(([rule]) => rule);
    expect(fonts.filter((rule) => /\dpx/u.test(rule))).toEqual([]);
  });

  test("every size of text is given in rem", () => {
    const sizes = [...all.matchAll(/--hp-(?:text[\w-]*|code|title):[^;]*/gu)].map(([rule]) => rule);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter((rule) => !rule.includes("rem"))).toEqual([]);
  });

  test("every custom property that is used is defined, and the other way round", () => {
    expect(unique(/var\(\s*(--[\w-]+)/gu)).toEqual(unique(/(--[\w-]+)\s*:/gu));
  });

  test.each(files)(
    "$path knows no left and right, but where a line begins and ends",
    ({ text }) => {
      const sides = /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)|left|right):[^;]*/gu;
      const found = [...text.matchAll(sides)].map(([rule]) => rule.trim());
      expect(found.filter((rule) => !rule.includes("safe-area-inset"))).toEqual([]);
    },
  );
});
