import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { NETWORK_TROUBLE, test } from "./support/behind-line.ts";
import { button, card, composer, conversation, startDemo } from "./support/conversation.ts";
import { NEXT_BUILD, writeNextBuild } from "./support/next-build.ts";
import { takePicture } from "./support/pictures.ts";

const FORM = "Plan the release party";

const isNext = async (page: Page): Promise<boolean> =>
  (await page.locator(`meta[name="${NEXT_BUILD}"]`).count()) === 1;

/** Runs in the page, which registers it automatically on https. */
async function registerServiceWorker(): Promise<void> {
  const { trustedTypes } = globalThis as unknown as {
    trustedTypes: {
      createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
    };
  };
  const rules = { createScriptURL: (url: string) => url };
  const policy = trustedTypes.createPolicy("holdpoint-worker", rules);
  await navigator.serviceWorker.register(policy.createScriptURL("/service-worker.js"));
  await navigator.serviceWorker.ready;
}

/** Runs in the page: the response of an address that only the next build's service worker handles. */
async function updateServiceWorker(): Promise<string> {
  const registration = await navigator.serviceWorker.ready;
  const isOver = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  });
  await registration.update();
  // The browser may have updated it before, on its own.
  const { active, installing, waiting } = registration;
  if (installing || waiting || active !== navigator.serviceWorker.controller) await isOver;
  return (await fetch("/next-build")).text();
}

describe("An update of the gateway under an open page", () => {
  test("[R-5] neither answers nor reloads anything; the page reports the update, keeps the typed text, and is the new one once reloaded", async ({
    owned,
    startBehindLine,
    dataDir,
    openDevice,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-next-"));
    owned.defer(() => rm(folder, { recursive: true, force: true }));
    const program = await writeNextBuild(folder);
    const old = await startBehindLine({ dataDir });
    const sessionId = await startDemo(old, "Ask me with a form");
    const asked = await pending(new Api(old.url), sessionId);
    const device = await openDevice(old.viaLine);
    const { page } = device;
    device.allowProblem(NETWORK_TROUBLE);
    await device.open(`/s/${sessionId}`);
    await page.evaluate(registerServiceWorker);
    const other = await device.context.newPage();
    await other.goto("/history");
    const form = card(page, FORM);
    await form.getByRole("textbox", { name: "Host" }).fill("Ada");
    await composer(page).fill("Half a mess");
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("Holdpoint was updated.").count()).toBe(0);

    await old.stop("SIGTERM");
    await page.getByText("Offline.").waitFor();
    const next = await startBehindLine({ dataDir, program });
    await page.getByText("Offline.").waitFor({ state: "detached" });
    const notice = page.getByText("Holdpoint was updated.");
    await notice.waitFor();
    await expectAccessible(page, "updated");
    await takePicture(page, "updated");
    await button(other, "Not now").click();
    await other.getByText("Holdpoint was updated.").waitFor({ state: "detached" });
    await other.close();
    // The new service worker takes over at once.
    expect(await page.evaluate(updateServiceWorker)).toBe("next");
    const api = new Api(next.url);
    const { status, response } = await api.interaction(asked.interactionId);
    expect({ status, response }).toEqual({ status: "orphaned", response: undefined });
    expect(await form.getByRole("textbox", { name: "Host" }).inputValue()).toBe("Ada");
    // A part that was never opened on this page.
    await button(page, "Find in this session").click();
    await page.getByRole("search").waitFor();
    await composer(page).press("Enter");
    await conversation(page).getByText("Half a mess").waitFor();
    expect(await isNext(page)).toBe(false);
    await composer(page).fill("Another");
    await button(page, "Reload").click();
    await expect.poll(() => isNext(page)).toBe(true);
    expect(await form.getByRole("textbox", { name: "Host" }).inputValue()).toBe("Ada");
    expect(await composer(page).inputValue()).toBe("Another");
    expect((await api.interaction(asked.interactionId)).status).toBe("orphaned");
    expect(await notice.count()).toBe(0);
  });
});
