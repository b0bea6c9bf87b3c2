import { afterAll, beforeAll, expect, test } from "vitest";

import {
  findFaults,
  openView,
  serveGallery,
  type View,
} from "../../packages/react/gallery/look-at.ts";
import { launchBrowser } from "../support/browser.ts";

let gallery: Awaited<ReturnType<typeof serveGallery>>;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  [gallery, browser] = await Promise.all([serveGallery(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await gallery?.[Symbol.asyncDispose]();
});

/** A share of what `npm run gallery` looks at. */
const VIEWS: readonly View[] = [
  { name: "a narrow phone with large text", width: 320, height: 700, theme: "dark", fontPx: 24 },
  { name: "a phone from the right", width: 390, height: 844, theme: "light", language: "pseudo" },
];

test.each(VIEWS)("every card in every state fits and is accessible: $name", async (view) => {
  const page = await browser.newPage();
  await openView(page, gallery.url, view);
  expect(await page.locator("[data-specimen]").count()).toBeGreaterThan(45);
  // Also those that have to be seen whole before they can be sent.
  await expect.poll(() => page.locator(".hp-error-summary").count()).toBe(3);
  expect(await findFaults(page)).toEqual([]);
  await page.close();
});

test("[R-6] A card that was drawn before its frame was shown cannot be allowed before it was in view", async () => {
  const page = await browser.newPage();
  const outer = new URL("/outer", gallery.url).href;
  const body = `<iframe src="${gallery.url}" style="display: none; width: 500px; height: 500px">`;
  await page.route(outer, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(outer);
  const frame = page.frameLocator("iframe");
  await frame.locator("html[data-ready]").waitFor({ state: "attached", timeout: 60_000 });
  await page.locator("iframe").evaluate((one) => one.style.removeProperty("display"));
  // Longer than Allow takes to arm.
  await page.waitForTimeout(1000);
  const allows = await frame.getByRole("button", { name: "Allow once" }).all();
  expect(allows.length).toBeGreaterThan(9);
  for (const allow of allows) expect(await allow.isEnabled()).toBe(false);
  await page.close();
});
