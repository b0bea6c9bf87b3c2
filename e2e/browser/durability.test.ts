import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { timeHere } from "../support/time-here.ts";
import { NETWORK_TROUBLE, test } from "./support/behind-line.ts";
import { button, card, CARDS, expectReady, PROMPTS, startDemo } from "./support/conversation.ts";

/** Every count of pending requests on the page. */
async function counted(page: Page) {
  const inbox = page.getByRole("complementary", { name: "Inbox" });
  const rail = page.getByRole("navigation", { name: "Sessions" });
  const waiting = rail.getByRole("region", { name: "Waiting for you" });
  return {
    title: /^\((\d+)\)/.exec(await page.title())?.[1],
    icon: decodeURIComponent(
      (await page.locator('link[rel="icon"]').getAttribute("href")) ?? "",
    ).match(/>(\d+)</)?.[1],
    toggle: await page.getByRole("button", { name: /^Inbox, / }).innerText(),
    inbox: await inbox.getByRole("listitem").count(),
    rail: await waiting.getByRole("listitem").count(),
  };
}

/**
 * Waits until no message says that the gateway is away, and the card's button, as sent by the new gateway, can be
 * pressed.
 */
async function waitUntilAnswerable(page: Page): Promise<void> {
  await expectReady(button(card(page, CARDS.checklist), "Tell the agent to go ahead"));
  await page.getByText("Offline.").waitFor({ state: "detached" });
}

describe("When the gateway is killed and started again", () => {
  test("five pending requests are still five everywhere, and the card of the open page can be answered again within 2 s", async ({
    startBehindLine,
    line,
    dataDir,
    openDevice,
  }) => {
    const killed = await startBehindLine({ dataDir });
    const api = new Api(killed.url);
    let sessionId = "";
    for (let count = 0; count < 5; count += 1) {
      sessionId = await startDemo(killed, PROMPTS.edit);
      await pending(api, sessionId);
    }
    const device = await openDevice(killed.viaLine);
    const { page } = device;
    device.allowProblem(NETWORK_TROUBLE);
    await device.open(`/s/${sessionId}`);
    const five = { title: "5", icon: "5", toggle: "Inbox, 5 waiting\n5", inbox: 5, rail: 5 };
    await expect.poll(() => counted(page)).toEqual(five);

    await killed.stop("SIGKILL");
    await page.getByText("Offline.").waitFor();
    // Long enough for doubling retry delays to exceed 2 s.
    await page.waitForTimeout(6000);
    expect(await counted(page)).toEqual(five);
    // The port of the killed gateway is unreachable.
    const asking = line.nextReached();
    await startBehindLine({ dataDir });
    const backAt = performance.now();
    await waitUntilAnswerable(page);
    const backMs = performance.now() - backAt;
    await expect.poll(() => counted(page)).toEqual(five);
    expect((await asking) - backAt).toBeLessThan(timeHere(2000));
    // The time this machine needs to load the same page from scratch is not part of the measured wait.
    const loadedAt = performance.now();
    await page.goto(`/s/${sessionId}`);
    await waitUntilAnswerable(page);
    expect(backMs - (performance.now() - loadedAt)).toBeLessThan(timeHere(2000));
  });
});
