import { readFileSync } from "node:fs";

/** The first code block in a guide that contains the words. Throws when there is none. */
export function guideBlock(guide: string, words: string): string {
  const blocks = readFileSync(guide, "utf8").matchAll(/^```\w*\n(?<code>.*?)^```/gmsu);
  const found = [...blocks].map(({ groups }) => groups?.["code"] ?? "");
  const block = found.find((code) => code.includes(words));
  if (block === undefined) throw new Error(`${guide} has no block with ${words}.`);
  return block;
}
