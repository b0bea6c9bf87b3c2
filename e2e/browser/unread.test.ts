import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

const entry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name });

describe("The list of sessions", () => {
  test("marks sessions that ended since this device looked, until it looks again with the page in view", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(
      await openScriptedGateway(async (message, context) => {
        if (message.content !== "fail") return sayAndAsk(["Done."], [])(message, context);
        return { reason: "error", code: "AGENT_OVERLOADED", message: "Overloaded" };
      }),
    );
    const api = new Api(gateway.url);
    const [one, other] = [await gateway.start("One"), await gateway.start("Other")];
    for (const sessionId of [one, other]) await api.idle(sessionId);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${one}`);
    const marked = async () => ({
      one: /\bnew\b/.test(await entry(page, "One").innerText()),
      other: /\bnew\b/.test(await entry(page, "Other").innerText()),
    });
    await entry(page, "Other").waitFor();
    await page.waitForFunction(() => localStorage.getItem("holdpoint.seen") !== null);
    expect(await marked()).toEqual({ one: false, other: false });
    // A person sees the session on screen.
    await api.send(one, "more");
    await api.send(other, "fail");
    await expect.poll(marked).toEqual({ one: false, other: true });
    expect(await entry(page, "Other").innerText()).toContain("failed");
    await takePicture(page, "unread");
    await page.reload();
    await expect.poll(marked).toEqual({ one: false, other: true });

    await page.evaluate(hide, "hidden");
    await entry(page, "Other").click();
    await page.getByText("The model is overloaded").waitFor();
    await page.getByText("Wait a minute and send your message again").waitFor();
    expect(await marked()).toEqual({ one: false, other: true });
    await page.evaluate(hide, "visible");
    await expect.poll(marked).toEqual({ one: false, other: false });
    await page.reload();
    await entry(page, "Other").waitFor();
    expect(await marked()).toEqual({ one: false, other: false });
  });
});

/** Acts as if the tab went to the background or came back. */
function hide(state: string): void {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}
