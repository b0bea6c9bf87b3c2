import type { HoldRequest } from "@holdpoint/engine";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { button, composer, expectFocus, PROMPTS, startDemo } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test, mainlyOn } from "./support/test.ts";

const sessions = (page: Page) => page.getByRole("navigation", { name: "Sessions" });
const entry = (page: Page, name: string) => sessions(page).getByRole("link", { name });

async function archive(page: Page, name: string | RegExp): Promise<void> {
  await sessions(page).getByRole("button", { name }).press("Enter");
  await page.getByRole("menuitem", { name: "Archive" }).press("Enter");
}

describe("The archive", () => {
  test("removes a session from the list, shows it under Archived and in search, and restores it", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk(["Done."], [])));
    const api = new Api(gateway.url);
    await gateway.start("Keep this");
    const hostile = "<img src=x onerror=alert(1)> \u202ereversed";
    const sessionId = await gateway.start(hostile);
    await api.idle(sessionId);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${sessionId}`);
    await entry(page, "onerror").waitFor();
    const second = await openDevice(gateway);
    const other = second.page;
    await second.open(`/s/${sessionId}`);
    await entry(other, "onerror").waitFor();
    await archive(page, /^Actions for <img/);
    await entry(page, "onerror").waitFor({ state: "detached" });
    await page.getByText("Archived. A message restores it.").waitFor();
    // The other device also shows it, on the session that it has open.
    await entry(other, "onerror").waitFor({ state: "detached" });
    await other.getByText("Archived. A message restores it.").waitFor();
    await expectFocus(entry(page, "Keep this"));
    await takePicture(page, "archived session");

    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    expect(await palette.getByRole("option", { name: /onerror/ }).count()).toBe(0);
    await palette.getByRole("combobox").fill("ONERROR");
    await palette.getByRole("option", { name: /onerror/ }).waitFor();
    await page.keyboard.press("Escape");

    await sessions(page).getByRole("link", { name: "Archived" }).click();
    const main = page.getByRole("main");
    await main.getByRole("searchbox").fill("nowhere");
    await main.getByText("No archived sessions match your search").waitFor();
    await main.getByRole("searchbox").fill("img");
    await main.getByRole("listitem").waitFor();
    await takePicture(page, "archived page");
    await page.reload();
    await main.getByRole("button", { name: /^Restore <img/ }).click();
    await main.getByText("No archived sessions").waitFor();
    await entry(page, "onerror").waitFor();
    await entry(other, "onerror").waitFor();
    await other.getByText("Archived. A message restores it.").waitFor({ state: "detached" });
  });

  test.for(mainlyOn("phone"))(
    "restores a session that gets a message on a %s",
    async (screen, { gateway, openDevice }) => {
      const api = new Api(gateway.url);
      const sessionId = await startDemo(gateway, PROMPTS.edit);
      await api.stop(sessionId);
      await api.archive(sessionId);
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/s/${sessionId}`);
      const bar = page.getByText("Archived. A message restores it.");
      await bar.waitFor();
      await composer(page).fill(PROMPTS.edit);
      await device.press(button(page, "Send"));
      await bar.waitFor({ state: "detached" });
      await pending(api, sessionId);
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
      await api.stop(sessionId);
    },
  );

  test("explains why it refuses a working session, and leaves answerable requests in inbox, title and list", async ({
    owned,
    openDevice,
  }) => {
    const asked = {
      kind: "approval",
      toolCallId: "call",
      toolName: "Bash",
      input: { command: "make" },
      display: {},
      scopes: ["once"],
      scopeText: {},
      editable: false,
    } satisfies HoldRequest;
    const gateway = owned.use(
      await openScriptedGateway(async (message, context) => {
        const timeout = message.content === "late" ? { timeoutMs: 1 } : {};
        return sayAndAsk([], [{ ...asked, ...timeout }])(message, context);
      }),
    );
    const api = new Api(gateway.url);
    const late = await gateway.start("late");
    await expect.poll(() => api.interactions(late, "expired")).toHaveLength(1);
    await api.idle(late);
    const waits = await gateway.start("waits");
    await pending(api, waits);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await archive(page, "Actions for waits");
    const refusal = page.getByRole("dialog", { name: "Cannot be archived yet" });
    await refusal.getByText("Stop it or let it finish first").waitFor();
    await takePicture(page, "archive refused");
    await page.keyboard.press("Escape");
    await archive(page, "Actions for late");
    const dialog = page.getByRole("dialog", { name: "Archive this session?" });
    await dialog.getByText("It stays in the inbox").waitFor();
    await takePicture(page, "archive with a word");
    await button(dialog, "Archive").click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(async () => (await api.session(late)).archivedAt).toBeDefined();
    await page.reload();
    await entry(page, "late").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(2\) /);
    const inbox = page.getByRole("complementary", { name: "Inbox" });
    const row = inbox.getByRole("region", { name: /^No agent waits for these/ });
    await row.getByRole("button", { name: /Run make\?/ }).click();
    await button(row, "Dismiss").click();
    await entry(page, "late").waitFor({ state: "detached" });
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
  });
});
