import { readFileSync } from "node:fs";

/** The rules of ARCHITECTURE.md that are in none of these test titles. Throws when it has no rules. */
export function findUntestedRules(titles: readonly string[]): string[] {
  const rules = readRules();
  if (rules.length === 0) throw new Error("ARCHITECTURE.md has no table of rules.");
  return rules.filter((rule) => !titles.some((title) => title.includes(`[${rule}]`)));
}

export function readRules(): string[] {
  const table = readFileSync("ARCHITECTURE.md", "utf8").matchAll(/^\| (R-\d+) +\|/gm);
  return [...table].map(([, rule = ""]) => rule);
}
