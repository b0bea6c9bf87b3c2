import { expect } from "vitest";

import { EVERY_SCREEN, test } from "./support/test.ts";

/** The page's code, except for the part that runs before the first paint. */
const CODE = /\/assets\/[^/]+\.js$/u;
/** The code that draws the conversation, which loads last. */
const SHELL = /\/assets\/shell-[^/]+\.js$/u;

test.for(EVERY_SCREEN)(
  "The page shows its frame before its code has loaded, and the frame does not move afterwards, on a %s",
  async (screen, { gateway, openDevice }) => {
    const device = await openDevice(gateway, { screen });
    const { page } = device;
    await device.open("/");
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    const code = Promise.withResolvers<void>();
    const shell = Promise.withResolvers<void>();
    await page.route(CODE, async (route) => {
      await code.promise;
      if (SHELL.test(route.request().url())) await shell.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    const name = page.getByText("Holdpoint", { exact: true });
    await name.waitFor();
    const before = await name.boundingBox();
    expect(await page.getByRole("textbox").count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByName("first-paint").length))
      .toBe(1);

    code.resolve();
    // Drawn by the page's first code. Nothing is visible yet, so the frame stays.
    await page.locator("#root > *").first().waitFor({ state: "attached" });
    expect(await name.isVisible()).toBe(true);
    shell.resolve();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    expect(await page.locator(".frame").count()).toBe(0);
    // A phone shows the name only above the list of sessions.
    expect(await name.boundingBox()).toEqual(screen === "desktop" ? before : null);
  },
);
