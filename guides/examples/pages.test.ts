import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLACES = ["guides/examples", "examples/ask-later", "examples/collect-email"];

/** All code of these places, without indentation. */
async function readCode(): Promise<string[]> {
  const folders = PLACES.map(async (place) => {
    const names = await readdir(join(ROOT, place), { recursive: true });
    return names.filter((name) => name.endsWith(".ts")).map((name) => join(ROOT, place, name));
  });
  const paths = (await Promise.all(folders)).flat();
  return Promise.all(paths.map(async (path) => withoutIndent(await readFile(path, "utf8"))));
}

async function codeBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code.trim());
}

function withoutIndent(code: string): string {
  return code.replaceAll(/^ +/gm, "");
}

const PAGES = [
  "README.md",
  "guides/interactive-tools.md",
  "guides/programs.md",
  "guides/notifications.md",
];

describe.each(PAGES)("%s", (page) => {
  test("shows only code from files that are compiled and tested", async () => {
    const files = await readCode();
    const blocks = await codeBlocks(page);
    const strange = blocks.filter(
      (block) => !files.some((file) => file.includes(withoutIndent(block))),
    );
    expect(blocks.length).toBeGreaterThan(1);
    expect(strange).toEqual([]);
  });
});

describe.each(PAGES.slice(0, 2))("%s", (page) => {
  test("begins with a complete tool of fewer than 30 lines", async () => {
    const path = join(ROOT, "guides/examples/tools/send-invoice.ts");
    const tool = (await readFile(path, "utf8")).trim();
    expect((await codeBlocks(page))[0]).toBe(tool);
    expect(tool.split("\n").length).toBeLessThan(30);
  });
});
