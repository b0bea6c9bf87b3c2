import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { button, conversation, PROMPTS, startDemo } from "./support/conversation.ts";
import { mainlyOn, test } from "./support/test.ts";

/** Turns the page as a right-to-left language would; the page itself has none. */
async function turn(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  await page.waitForTimeout(300);
}

/** Runs in the page: everything that a person could not see or press. */
function findOutside(): string[] {
  const isOutside = (element: Element): boolean => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1);
  };
  return [...document.querySelectorAll("button, a, h1, h2, label, input, select, textarea")]
    .filter((element) => element.checkVisibility() && !element.closest(".hp-visually-hidden"))
    .filter(isOutside)
    .map(({ className, textContent }) => `${className} ${textContent}`);
}

/** Runs in the page: the positions of an element's first two characters, and of its whole text. */
function measureStart(element: Element): { first: number; second: number; right: number } {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const at = (offset: number): number => {
    const range = document.createRange();
    range.setStart(text!, offset);
    range.setEnd(text!, offset + 1);
    return range.getBoundingClientRect().left;
  };
  const all = document.createRange();
  all.selectNodeContents(element);
  return { first: at(0), second: at(1), right: all.getBoundingClientRect().right };
}

describe("A page in a right-to-left language", () => {
  test.for(mainlyOn("phone"))(
    "shows everything, with paths unchanged, on a %s",
    async (screen, { gateway, openDevice }) => {
      const api = new Api(gateway.url);
      const sessionId = await startDemo(gateway, PROMPTS.edit);
      const { interactionId, approval } = await pending(api, sessionId);
      await api.respond(interactionId, { action: "approve", digest: approval!.digest });
      await until(async () => (await api.session(sessionId)).status === "idle", "the end");
      const { page, ...device } = await openDevice(gateway, { screen });
      for (const path of ["/", "/history", "/grants", "/devices", `/s/${sessionId}`]) {
        await device.open(path);
        await page.locator("h1:visible").first().waitFor();
        await turn(page);
        expect(await page.evaluate(findOutside)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          page.viewportSize()!.width,
        );
      }
      const result = conversation(page).getByRole("figure", { name: "Result" });
      await result.waitFor();
      const { first, second, right } = await result.locator("code").evaluate(measureStart);
      expect(first).toBeLessThan(second);
      const copy = await button(page, "Copy").last().boundingBox();
      expect(copy!.x).toBeGreaterThanOrEqual(right);
      const title = page.locator(".head-name");
      expect((await title.evaluate(measureStart)).first).toBeGreaterThanOrEqual(
        (await title.boundingBox())!.x,
      );
    },
  );
});
