import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { AxeResults, RunOnly } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/**
 * Runs axe in both colour schemes; in the second one only the rules that colours can affect. It is evaluated over the
 * debugger, so that the page's own policy need not allow it.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = [
    ...(await findViolations(page, { type: "tag", values: TAGS })),
    ...(await findSmallTargets(page)),
  ];
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await findViolations(page, { type: "rule", values: ["color-contrast"] });
  expect({ where, inLight, inDark }).toEqual({ where, inLight: [], inDark: [] });
}

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Measured with everything in view. Content that scrolls behind the actions of a long card is half covered at some
 * position, which depends on the length of the path of a test's folder.
 */
async function findSmallTargets(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ ...size, height: 6000 });
  const found = await findViolations(page, { type: "rule", values: ["target-size"] });
  await page.setViewportSize(size);
  return found;
}

async function findViolations(page: Page, runOnly: RunOnly): Promise<string[]> {
  // A colour in transition matches neither scheme.
  await page.evaluate(async () => {
    const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.all(changing.map((one) => one.finished.catch(() => undefined)));
  });
  const { violations } = await page.evaluate<Pick<AxeResults, "violations">>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], runOnly, rules: toRules(runOnly) })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/** All rules with the tags, except for the one that `findSmallTargets` runs. */
function toRules({ type }: RunOnly): Record<string, { readonly enabled: boolean }> {
  return type === "tag" ? { "target-size": { enabled: false } } : {};
}

/** Fails when content overflows a screen of 320 px. */
export async function expectReflow(page: Page, where: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 320, height: 720 });
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  await page.setViewportSize(size);
  expect({ where, sideways: Math.max(0, sideways) }).toEqual({ where, sideways: 0 });
}
