import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { rows } from "../support/breadth.ts";
import { NETWORK_TROUBLE, test } from "./support/behind-line.ts";
import {
  button,
  card,
  composer,
  conversation,
  expectFocus,
  expectReady,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

/** Browser errors about code that fails to load. */
const NOT_LOADED = /Failed to fetch dynamically imported module|Unable to preload CSS/;
const FORM = "Plan the release party";

/** Calls `run` once, before any code with these names loads. */
async function before(page: Page, names: RegExp, run: () => Promise<unknown>): Promise<void> {
  let done: Promise<unknown> | undefined;
  await page.route(
    ({ pathname }) => pathname.startsWith("/assets/") && names.test(pathname),
    async (route) => {
      await (done ??= run());
      await route.continue();
    },
  );
}

/** Expects every late part of the page to be there. */
async function expectWhole(page: Page): Promise<void> {
  await page.getByText("Offline.").waitFor({ state: "detached" });
  await card(page, FORM).getByRole("textbox", { name: "Host" }).fill("Ada");
  const inbox = page.getByRole("complementary", { name: "Inbox" });
  await inbox.getByText(FORM).waitFor();
  await button(page, "Find in this session").click();
  await page.getByRole("search").waitFor();
  expect(await page.getByText("could not be loaded").count()).toBe(0);
  await expect.poll(() => page.evaluate(countUnstyled)).toBe(0);
}

/** The number of stylesheets that failed to load. Chromium does not let anyone read those. */
function countUnstyled(): number {
  const links = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  const isThere = ({ sheet }: HTMLLinkElement): boolean => {
    try {
      return sheet !== null && sheet.cssRules.length > 0;
    } catch {
      return false;
    }
  };
  return [...links].filter((link) => !isThere(link)).length;
}

describe("Code of the page that fails to load", () => {
  test.for(
    rows<readonly [string, RegExp]>(
      [["what is loaded ahead", /german-/]],
      [["the search and the inbox", /pages-/]],
    ),
  )(
    "because the gateway was killed breaks nothing else, and loads when the gateway is back: %s",
    async ([, names], { startBehindLine, dataDir, openDevice }) => {
      const killed = await startBehindLine({ dataDir });
      const sessionId = await startDemo(killed, "Ask me with a form");
      await pending(new Api(killed.url), sessionId);
      const device = await openDevice(killed.viaLine);
      const { page } = device;
      device.allowProblem(NETWORK_TROUBLE);
      device.allowProblem(NOT_LOADED);
      await before(page, names, () => killed.stop("SIGKILL"));
      await device.open(`/s/${sessionId}`);
      await page.getByText("Offline.").waitFor();
      await composer(page).fill("Still here");
      await takePicture(page, "late code");
      await page.unrouteAll();
      await startBehindLine({ dataDir });
      await expectWhole(page);
      expect(await composer(page).inputValue()).toBe("Still here");
    },
  );

  test("is reported on its card, and loads when the connection is back", async ({
    startBehindLine,
    line,
    openDevice,
  }) => {
    const gateway = await startBehindLine();
    const sessionId = await startDemo(gateway, "Ask me with a form");
    await pending(new Api(gateway.url), sessionId);
    const device = await openDevice(gateway.viaLine);
    const { page } = device;
    device.allowProblem(NETWORK_TROUBLE);
    device.allowProblem(NOT_LOADED);
    // The inbox has separate styles.
    await page.route(/assets\/(?:cards-[\w-]+[.]js|pages-[\w-]+[.]css)/, (route) => route.abort());
    const isRestThere = page.waitForResponse(/assets\/pages-[\w-]+[.]js/);
    await device.open(`/s/${sessionId}`);
    await card(page, FORM)
      .getByText(
        "A part of the page could not be loaded. Loading is retried when the gateway is back.",
      )
      .waitFor();
    await takePicture(page, "late card");
    await isRestThere;
    await expect.poll(() => page.evaluate(countUnstyled)).toBe(1);
    line.cut();
    await page.getByText("Offline.").waitFor();
    await page.unrouteAll();
    line.mend();
    await expectWhole(page);
  });

  test("[R-6] does not pass keys typed in the meantime to a card", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    const { promise: isTyped, resolve: letCome } = Promise.withResolvers<void>();
    await before(page, /pages-/, () => isTyped);
    const api = new Api(gateway.url);
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    const { interactionId } = await pending(api, sessionId);
    await device.open(`/s/${sessionId}`);
    const asked = conversation(page).getByRole("article").first();
    await expectReady(button(asked, "Allow once"));
    await asked.focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("a");
    letCome();
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.press("Escape");
    await expectFocus(asked);
    await page.keyboard.press("d");
    const actionOf = async () => (await api.interaction(interactionId)).response?.action;
    await expect.poll(actionOf).toBe("deny");
  });
});

test("The title counts the pending requests even when the styles load late", async ({
  gateway,
  openDevice,
}) => {
  const sessionId = await startDemo(gateway, PROMPTS.edit);
  await pending(new Api(gateway.url), sessionId);
  const device = await openDevice(gateway);
  const { page } = device;
  const styles = Promise.withResolvers<void>();
  await page.route(/\/assets\/pages-[^/]*\.css$/u, async (route) => {
    await styles.promise;
    await route.continue();
  });
  await device.open("/");
  await page.getByText("Waiting for you").first().waitFor();
  await page.waitForTimeout(500);
  styles.resolve();
  await page.waitForTimeout(500);
  expect(await page.title()).toMatch(/^\(\d+\) /u);
});
