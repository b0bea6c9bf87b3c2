import { globSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

const FOLDERS = ["packages/react/src/styles", "packages/react/gallery", "packages/web/src/styles"];
const files = FOLDERS.flatMap((folder) => globSync(`${folder}/*.css`)).map((path) => ({
  path,
  text: readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//gu, ""),
}));
const all = files.map(({ text }) => text).join("\n");

/** Variables that Base UI sets for a menu's position. */
const GIVEN: ReadonlySet<string> = new Set(["--available-height", "--available-width"]);

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

  test("every custom property that is used is defined, and vice versa", () => {
    const used = unique(/var\(\s*(--[\w-]+)/gu).filter((name) => !GIVEN.has(name));
    expect(used).toEqual(unique(/(--[\w-]+)\s*:/gu));
  });

  test.each(files)("$path has no left and right, only the start and end of a line", ({ text }) => {
    const sides = /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)|left|right):[^;]*/gu;
    const found = [...text.matchAll(sides)].map(([rule]) => rule.trim());
    expect(found.filter((rule) => !rule.includes("safe-area-inset"))).toEqual([]);
  });
});

/** Rules with their own sizes, and the reasons. */
const EXCEPTIONS: readonly (readonly [file: RegExp, rule: RegExp, why: string])[] = [
  [
    /(?:markdown|parts)\.css$/u,
    /-?\d*\.?\d+em\b/u,
    "the rhythm of a text follows the size of that text",
  ],
  [/(?:isolation|base)\.css$/u, /font-size: 0\.9em/u, "code in a sentence is set a little smaller"],
];

describe("the scale of text and space", () => {
  const SPACED =
    /(?<![\w-])(?:font(?:-size)?|margin(?:-[a-z-]+)?|padding(?:-[a-z-]+)?|(?:row-|column-)?gap|--hp-(?:gutter|indent|column|icon)):[^;{}]*/gu;
  const rulesOf = (text: string) => [...text.matchAll(SPACED)].map(([rule]) => rule);

  test.each(files)("$path uses only its steps", ({ path, text }) => {
    expect(rulesOf(text).filter((rule) => hasOwnSize(rule) && !isException(path, rule))).toEqual(
      [],
    );
  });

  test("finds a size that is not a step", () => {
    const found = rulesOf(
      "a { font: 400 0.9rem/1.5 x; margin: 0 auto -3px; padding: 5% var(--hp-space-8); gap: 1em 2vh }",
    );
    expect(found).toHaveLength(4);
    expect(found.filter(hasOwnSize)).toEqual([found[0], found[1], found[3]]);
  });

  test("has no unused exception", () => {
    const needed = EXCEPTIONS.filter(([file, pattern]) =>
      files.some(
        ({ path, text }) =>
          file.test(path) && rulesOf(text).some((rule) => hasOwnSize(rule) && pattern.test(rule)),
      ),
    );
    expect(needed).toEqual(EXCEPTIONS);
  });

  test("grows with the person's font size, and never gets smaller", () => {
    const steps = [...all.matchAll(/--hp-(?:space-\d+|text[\w-]*|code|title): ([^;]*)/gu)];
    expect(steps.length).toBeGreaterThan(15);
    const wrong = steps.filter(([, value = ""]) => {
      const [, rem, px] = /^max\((\d+(?:\.\d+)?)rem, (\d+)px\)$/u.exec(value) ?? [];
      return Number(rem) * 16 !== Number(px);
    });
    expect(wrong.map(([rule]) => rule)).toEqual([]);
  });
});

/** Whether it contains a length that is neither a step nor a share of the screen or the box. */
function hasOwnSize(rule: string): boolean {
  const plain = rule.replaceAll(/var\(--[\w-]+\)/gu, "");
  return /(?<![\w-])-?\d*\.?\d+(?:px|r?em|ch|pt)\b/u.test(plain.replaceAll(/\b0px\b/gu, ""));
}

function isException(path: string, rule: string): boolean {
  return EXCEPTIONS.some(([file, pattern]) => file.test(path) && pattern.test(rule));
}
