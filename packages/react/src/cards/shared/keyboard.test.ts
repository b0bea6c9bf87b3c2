import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { KeyboardEvent } from "react";
import { expect, test } from "vitest";

import { isComposing } from "./keyboard.ts";

const PACKAGES = fileURLToPath(new URL("../../../../", import.meta.url));
const SOURCES = globSync("{react,web}/src/**/*.{ts,tsx}", { cwd: PACKAGES })
  .filter((path) => !/\.test\.tsx?$|\/testing\//u.test(path))
  .map((path) => ({ path, code: readFileSync(PACKAGES + path, "utf8") }));

function pathsOf(is: (code: string) => boolean): string[] {
  return SOURCES.filter(({ code }) => is(code)).map(({ path }) => path);
}

test.each([
  [{ isComposing: true, keyCode: 13 }, true],
  [{ isComposing: false, keyCode: 229 }, true],
  [{ isComposing: false, keyCode: 13 }, false],
])("%o belongs to an input method: %s", (event, belongs) => {
  expect(isComposing(event as globalThis.KeyboardEvent)).toBe(belongs);
  expect(isComposing({ nativeEvent: event } as KeyboardEvent)).toBe(belongs);
});

test("every handler of Enter and Escape checks for an input method's key", () => {
  const handles = /(?:[!=]== |case )"(?:Enter|Escape)"/u;
  const handlers = pathsOf((code) => handles.test(code));
  expect(handlers.length).toBeGreaterThan(5);
  expect(pathsOf((code) => handles.test(code) && !code.includes("isComposing(event)"))).toEqual([]);
});

test("only one module decides how browsers report the keys of an input method", () => {
  expect(pathsOf((code) => /\.isComposing\b/u.test(code))).toEqual([]);
  expect(pathsOf((code) => /=== 229/u.test(code))).toEqual(["react/src/cards/shared/keyboard.ts"]);
});

test("a field without spelling has no autocorrection either", () => {
  const count = (code: string, text: string) => code.split(text).length;
  const differs = (code: string) =>
    count(code, "spellCheck={false}") !== count(code, 'autoCorrect="off"');
  expect(pathsOf(differs)).toEqual([]);
});
