import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { expectAccessible } from "./support/accessible.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectFocus,
  expectReady,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { expectFits, findCutFields } from "./support/fits.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

/** On a phone, opens the named part of the page. */
async function show(device: Device, name: string): Promise<void> {
  const views = device.page.getByRole("navigation", { name: "Views" });
  if (device.screen === "phone") await device.press(views.getByRole("button", { name }));
}

const inboxOf = (page: Page) => page.getByRole("complementary", { name: "Inbox" });

/** One command that waits for its answer. */
const ask: TurnScript = async (message, context) => {
  const { content } = message;
  const request: HoldRequest = {
    kind: "approval",
    toolCallId: "call",
    toolName: "Bash",
    input: { command: content, description: "What the whole of it is for, in so many words." },
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
  };
  return sayAndAsk(["Here is a file with a long name: packages/web/src/page.tsx"], [request])(
    message,
    context,
  );
};

const toEnd = ({ right }: DOMRect): number => Math.round(right);

/** The right edges of the choices on the start page on a narrow screen; a single one when they are aligned. */
async function findEdges(page: Page): Promise<readonly number[]> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  const rows = page.getByRole("main").locator(".start-row > *");
  const boxes = await rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  await page.setViewportSize(before);
  const ends = boxes.map(({ top, bottom }) =>
    Math.max(...boxes.filter((one) => one.top < bottom && one.bottom > top).map(toEnd)),
  );
  return [...new Set(ends)];
}

describe("Nothing is clipped, and axe finds nothing", () => {
  test.for(mainlyOn("phone"))(
    "on any size of a %s: home, a session, find, palette, undo, snooze, History, devices, a new session",
    async (screen, { owned, openDevice }) => {
      const agent = screen === "desktop" ? ({ takesAttachments: true } as const) : {};
      const gateway = owned.use(await openScriptedGateway(ask, { parkAfterMs: 0, agent }));
      const api = new Api(gateway.url);
      const sessions: string[] = [];
      for (const command of ["npm run build", "npm test", "npm publish"]) {
        const sessionId = await gateway.start(command);
        await pending(api, sessionId);
        sessions.push(sessionId);
      }
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      const look = async (where: string): Promise<void> => {
        await takePicture(page, where);
        await expectAccessible(page, where);
        await expectFits(page, screen, where);
      };
      await device.open();
      await page.getByRole("textbox", { name: "First message" }).waitFor();
      await look("home");
      expect(await findEdges(page)).toEqual([expect.any(Number)]);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Go to" }).getByRole("option").first().waitFor();
      await look("palette");
      await page.keyboard.press("Escape");

      await device.open(`/s/${sessions[0]}`);
      await expectReady(button(conversation(page), "Allow once"));
      const sentence = conversation(page).getByText("Here is a file with a long name");
      const boxes = [sentence, card(page, "Run npm run build?")].map((one) => one.boundingBox());
      const [above, below] = await Promise.all(boxes);
      expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
      await look("session");
      await composer(page).fill("And then?");
      await look("a message behind the session's turn");
      await composer(page).fill("");
      await page.keyboard.press("Control+f");
      await page.keyboard.type("file");
      await page.getByRole("search").waitFor();
      await look("find");
      await page.keyboard.press("Escape");

      await show(device, "Inbox");
      const inbox = inboxOf(page);
      if (!(await inbox.isVisible())) {
        await device.press(page.getByRole("button", { name: /^Inbox/ }));
      }
      await device.press(inbox.getByRole("button", { name: /npm publish/ }));
      await device.press(button(inbox, "15 min"));
      await inbox.getByText("Snoozed (1)").waitFor();
      await look("snoozed");
      await device.press(inbox.getByRole("button", { name: /npm test/ }));
      await expectReady(button(inbox, "Allow once"));
      await device.press(button(inbox, "Allow once"));
      await button(inbox.getByRole("region", { name: "Messages" }), "Undo").waitFor();
      await takePicture(page, "undo");
      await expectAccessible(page, "undo");
      await device.open("/history");
      await page.getByRole("searchbox", { name: "Search the history" }).waitFor();
      const filters = button(page, "Filters");
      if (await filters.isVisible()) await device.press(filters);
      await look("history");
      await device.open("/devices");
      await page.getByRole("combobox", { name: "Language" }).waitFor();
      await look("devices");
      await device.open();
      await show(device, "Sessions");
      await device.press(button(page, "New session"));
      await page.getByRole("dialog").getByRole("radio").waitFor();
      await look("new session");
    },
  );
});

describe("On the start page", () => {
  test("agent, folder and mode are shown in full, from a phone to a desktop", async ({
    startGateway,
    openDevice,
  }) => {
    // As long as a usual one. How wide a random name is depends on its letters.
    const cwd = join(tmpdir(), "work");
    await mkdir(cwd, { recursive: true });
    const gateway = await startGateway({ cwd });
    // Touch targets are larger and leave less room for words.
    const { page, ...device } = await openDevice(gateway, { screen: "phone" });
    await device.open();
    await page.getByRole("textbox", { name: "First message" }).waitFor();
    for (const width of [320, 390, 768, 844, 1200, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const choices = page.getByRole("main").locator("select");
      expect(await choices.count()).toBe(3);
      expect({ width, cut: await choices.evaluateAll(findCutFields) }).toEqual({ width, cut: [] });
    }
    // The tab on a phone names the visible part, which is not a conversation here.
    await page.setViewportSize({ width: 390, height: 800 });
    const shown = page.getByRole("navigation", { name: "Views" }).locator("[aria-current]");
    expect(await shown.innerText()).toBe("Start");
    await device.open("/grants");
    await expect.poll(() => shown.innerText()).toBe("Grants");
  });
});

describe("The way to the card", () => {
  test("is two keys from the top of the page by its skip link, and at most twelve stops without it, however many sessions there are", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const api = new Api(gateway.url);
    for (const title of ["One", "Two", "Three"]) await api.createSession({ agent: "demo", title });
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    await pending(api, sessionId);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${sessionId}`);
    const asked = card(page, CARDS.checklist);
    await expectReady(button(asked, "Allow once"));
    // The header has room for the agent's name, with the inbox open as well.
    const agent = page.locator(".head-agent");
    expect(await agent.innerText()).toBe("Demo agent");
    expect(await agent.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.keyboard.press("Tab");
    await expectFocus(page.getByRole("link", { name: "Skip to the pending request" }));
    await takePicture(page, "skip link");
    await page.keyboard.press("Enter");
    await expectFocus(asked);

    // Counts each press of Tab from the top of a newly opened page, including the skip link and the card. The choice
    // of a model, which this agent does not have, would be the twelfth.
    await device.open(`/s/${sessionId}`);
    await expectReady(button(asked, "Allow once"));
    const entry = page.getByRole("link", { name: /^Edit a file with my approval/ });
    await entry.and(page.locator("[tabindex='0']")).waitFor();
    const stops: string[] = [];
    const isThere = () => asked.evaluate((one) => one.contains(document.activeElement));
    while (stops.length < 40 && !(await isThere())) {
      await page.keyboard.press("Tab");
      stops.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80) ?? ""));
    }
    expect({ count: stops.length, stops }).toMatchObject({ count: 11 });

    await entry.focus();
    await page.keyboard.press("ArrowDown");
    await expectFocus(page.getByRole("link", { name: /^Three/ }));
    await page.keyboard.press("Tab");
    await expectFocus(button(page, "Actions for Three"));
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("End");
    await expectFocus(page.getByRole("link", { name: "Devices and programs" }));
    await page.keyboard.press("Home");
    await expectFocus(page.getByRole("link", { name: "Holdpoint" }));

    await device.open("/");
    await page.getByRole("textbox", { name: "First message" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("main"));
  });

  test("Back on a phone's tab leads to the conversation, and a reload stays on the tab", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    const device = await openDevice(gateway, { screen: "phone" });
    const { page } = device;
    await device.open();
    await device.open(`/s/${sessionId}`);
    await conversation(page).waitFor();
    await show(device, "Sessions");
    await button(page, "New session").waitFor();
    await show(device, "Inbox");
    await inboxOf(page).getByText("Waiting for you").waitFor();
    await page.reload();
    await inboxOf(page).getByText("Waiting for you").waitFor();
    await page.goBack();
    await conversation(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/s/${sessionId}`);
    await page.goForward();
    await inboxOf(page).waitFor();
    await show(device, "Conversation");
    await conversation(page).waitFor();
    await page.goBack();
    await page.getByRole("textbox", { name: "First message" }).waitFor();
  });
});
