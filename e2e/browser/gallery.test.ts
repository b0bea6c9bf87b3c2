import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  findFaults,
  openView,
  serveGallery,
  type View,
} from "../../packages/react/gallery/look-at.ts";
import { launchBrowser } from "../support/browser.ts";
import { SHOW_REST } from "./support/conversation.ts";

let gallery: Awaited<ReturnType<typeof serveGallery>>;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  [gallery, browser] = await Promise.all([serveGallery(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await gallery?.[Symbol.asyncDispose]();
});

/** Some of the views that `npm run gallery` checks. */
const VIEWS: readonly View[] = [
  { name: "a narrow phone with large text", width: 320, height: 700, theme: "dark", fontPx: 24 },
  { name: "a phone from the right", width: 390, height: 844, theme: "light", language: "pseudo" },
];

test.each(VIEWS)("every card in every state fits and is accessible: $name", async (view) => {
  const page = await browser.newPage();
  await openView(page, gallery.url, view);
  expect(await page.locator("[data-specimen]").count()).toBeGreaterThan(45);
  // Includes cards that have to be seen in full before they can be sent.
  await expect.poll(() => page.locator(".hp-error-summary").count()).toBe(3);
  expect(await findFaults(page)).toEqual([]);
  await page.close();
});

test("[R-6] A card drawn before its frame was shown cannot be allowed until it was in view", async () => {
  const page = await browser.newPage();
  const outer = new URL("/outer", gallery.url).href;
  const body = `<iframe src="${gallery.url}" style="display: none; width: 500px; height: 500px">`;
  await page.route(outer, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(outer);
  const frame = page.frameLocator("iframe");
  await frame.locator("html[data-ready]").waitFor({ state: "attached", timeout: 60_000 });
  await page.locator("iframe").evaluate((one) => one.style.removeProperty("display"));
  // Longer than Allow needs to be armed.
  await page.waitForTimeout(1000);
  const allows = await frame.getByRole("button", { name: "Allow once" }).all();
  expect(allows.length).toBeGreaterThan(9);
  for (const allow of allows) expect(await allow.isEnabled()).toBe(false);
  await page.close();
});

test("[R-6] A card in a tall frame counts as seen only where the page around it shows it", async () => {
  const page = await browser.newPage();
  const frameUrl = `${gallery.url.replace("localhost", "127.0.0.1")}?only=approval`;
  await using around = await servePage(`<main style="width: 640px; height: 500px; overflow: auto">
    <iframe src="${frameUrl}" style="width: 600px; height: 30000px; border: 0"></iframe></main>`);
  // A different site than the frame's, so the frame cannot ask for its position.
  await page.goto(around.url.replace("127.0.0.1", "localhost"));
  const frame = page.frameLocator("iframe");
  await frame.locator("html[data-ready]").waitFor({ state: "attached", timeout: 60_000 });
  const allowOf = (name: string) =>
    frame.locator(`[data-specimen="${name}"]`).getByRole("button", { name: "Allow once" });
  const command = allowOf("Approval · command, countdown, sub-agent");
  const edit = allowOf("Approval · edit of a file, wider scopes");
  // Longer than Allow needs to be armed.
  await page.waitForTimeout(1000);
  for (const allow of [command, edit]) expect(await allow.isEnabled()).toBe(false);
  await command.evaluate((one) => one.closest("article")?.scrollIntoView({ block: "end" }));
  await expect.poll(() => command.isEnabled()).toBe(true);
  expect(await edit.isEnabled()).toBe(false);
  // The card is taller than the visible part of its frame.
  const rest = edit.locator("xpath=ancestor::article").getByRole("button", { name: SHOW_REST });
  await expect
    .poll(async () => {
      if ((await rest.count()) > 0) await rest.click({ timeout: 1000 }).catch(() => undefined);
      return edit.isEnabled();
    })
    .toBe(true);
  await page.close();
});

async function servePage(body: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
