import { readFileSync } from "node:fs";

/** Rules of ARCHITECTURE.md that none of these titles of tests names. Throws where it has no rules. */
export function findUntestedRules(titles: readonly string[]): string[] {
  const rules = readRules();
  if (rules.length === 0) throw new Error("ARCHITECTURE.md has no table of rules.");
  return rules.filter((rule) => !titles.some((title) => title.includes(`[${rule}]`)));
}

export function readRules(): string[] {
  const table = readFileSync("ARCHITECTURE.md", "utf8").matchAll(/^\| (R-\d+) +\|/gm);
  return [...table].map(([, rule = ""]) => rule);
}
