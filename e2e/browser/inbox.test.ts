import type { HoldRequest } from "@holdpoint/engine";
import { describe, expect } from "vitest";

import { pending, Api } from "../support/api.ts";
import {
  button,
  card,
  CARDS,
  conversation,
  expectFocus,
  expectInView,
  openDemo,
  expectReady,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test, mainlyOn } from "./support/test.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the inbox lists late requests: long enough to be seen on a busy machine. */
const LATE_MS = 3000;

describe("The inbox", () => {
  test.for(mainlyOn("phone"))(
    "lists the pending requests of all sessions, oldest first, and takes answers in place on a %s",
    async (screen, { startGateway, openDevice }) => {
      const gateway = await startGateway();
      const api = new Api(gateway.url);
      for (const prompt of [PROMPTS.edit, PROMPTS.questions]) {
        await pending(api, await startDemo(gateway, prompt));
      }
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open();
      await expect.poll(() => page.title()).toBe(`(2) ${CARDS.checklist} · Holdpoint`);
      const showInbox = async (): Promise<void> => {
        if (screen === "desktop") return;
        await device.press(page.getByRole("navigation", { name: "Views" }).getByText("Inbox"));
      };
      await showInbox();
      const inbox = page.getByRole("complementary", { name: "Inbox" });
      const entries = inbox.getByRole("listitem");
      const lines = inbox.getByRole("button", { expanded: false });
      await expect.poll(() => lines.allInnerTexts()).toHaveLength(2);
      const [first, second] = await lines.allInnerTexts();
      expect(first).toContain(CARDS.checklist);
      expect(second).toContain(CARDS.questions);

      await pending(api, await startDemo(gateway, PROMPTS.edit));
      await expect.poll(() => page.title()).toMatch(/^\(3\) /);
      await expect.poll(() => entries.count()).toBe(3);

      await device.press(entries.nth(0).getByRole("button"));
      await expectReady(button(inbox, "Allow once"));
      await device.press(button(inbox, "Allow once"));
      await expect.poll(() => page.title()).toMatch(/^\(2\) /);
      // The next one opens automatically.
      await device.press(button(inbox, "Skip all"));
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
      await device.press(inbox.getByRole("link", { name: "Open the conversation" }));
      await device.press(button(card(page, CARDS.checklist), "Deny"));
      await conversation(page).getByText("You said no").waitFor();
      await expect.poll(() => page.title()).toBe(`${PROMPTS.edit} · Holdpoint`);
      await showInbox();
      await inbox.getByText("No pending requests.").waitFor();
    },
  );

  test("moves on to the next request after each key, answers identical ones together, and drops late ones by age", async ({
    owned,
    openDevice,
  }) => {
    const asked = {
      kind: "approval",
      toolCallId: "call",
      toolName: "Bash",
      input: {},
      display: {},
      scopes: ["once"],
      scopeText: {},
      editable: true,
    } satisfies HoldRequest;
    const gateway = owned.use(
      await openScriptedGateway(
        async (message, context) => {
          const { content: command } = message;
          const timeout = command === "make" ? { timeoutMs: 1 } : {};
          return sayAndAsk([], [{ ...asked, input: { command }, ...timeout }])(message, context);
        },
        { overview: { expiredDays: LATE_MS / DAY_MS } },
      ),
    );
    const api = new Api(gateway.url);
    const start = async (command: string): Promise<string> => {
      const sessionId = await gateway.start(command);
      return (await pending(api, sessionId)).interactionId;
    };
    const statusOf = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await api.interaction(id)).response?.action ?? "none"));
    const different = [await start("npm run build"), await start("git push"), await start("ls")];
    const same = [await start("npm test"), await start("npm test"), await start("npm test")];
    const { page } = await openDevice(gateway).then(async (device) => {
      await device.open();
      return device;
    });
    const inbox = page.getByRole("complementary", { name: "Inbox" });
    const row = inbox.getByRole("button", { name: /Run npm run build\?/ });
    expect(await row.innerText()).toMatch(/npm run build · Scripted.* · now/iu);
    await takePicture(page, "inbox rows");
    await row.focus();
    await page.keyboard.press("Enter");
    await inbox.getByRole("article", { name: "Run npm run build?" }).focus();
    for (const [index, command] of ["npm run build", "git push", "ls"].entries()) {
      const card = inbox.getByRole("article", { name: `Run ${command}?` });
      await expectFocus(card);
      await expectReady(button(card, "Allow once"));
      await page.keyboard.press(index === 1 ? "d" : "a");
      if (index !== 1) continue;
      // Pressed twice, as in a double click: the second press does not deny the next one.
      await page.waitForTimeout(200);
      await page.keyboard.press("d");
    }
    const card = inbox.getByRole("article", { name: "Run npm test?" });
    await expectFocus(card);
    expect(await statusOf(different)).toEqual(["approve", "deny", "approve"]);
    expect(await statusOf(same)).toEqual(["none", "none", "none"]);
    await inbox.getByRole("checkbox", { name: /2 identical requests/ }).check();
    await takePicture(page, "inbox identical");
    const later = await start("npm test");
    await expect.poll(() => page.title()).toMatch(/^\(4\) /);
    await expectReady(button(card, "Allow once"));
    await card.focus();
    await page.keyboard.press("a");
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    expect(await statusOf([...same, later])).toEqual(["approve", "approve", "approve", "none"]);

    const tooLate = await gateway.start("make");
    const late = inbox.getByRole("region", { name: /^No agent waits for these/ });
    await late.getByRole("button", { name: /Run make\?/ }).waitFor();
    await late.waitFor({ state: "detached" });
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    const [expired] = await api.interactions(tooLate, "expired");
    expect(expired).toMatchObject({ status: "expired" });
  });

  test("keeps the first pending card of a conversation in view until the person navigates elsewhere", async ({
    gateway,
    openDevice,
  }) => {
    const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.threeThings, {
      screen: "phone",
    });
    await expectInView(card(page, CARDS.questions));
    const below = page.getByRole("button", { name: /^\d waiting below$/ });
    const way = await below.boundingBox();
    const cards = await conversation(page).boundingBox();
    expect(way!.y, "it lies over no card").toBeGreaterThanOrEqual(cards!.y + cards!.height);
    await device.press(below);
    await expectInView(card(page, CARDS.checklist));
    await conversation(page).evaluate((log) => log.scrollTo({ top: 0 }));
    const earlier = conversation(page).getByText("One question card and two approvals");
    await earlier.hover();
    await page.mouse.wheel(0, -4000);
    await expectInView(earlier);
    await new Api(gateway.url).send(sessionId, "Meanwhile", true);
    await page.getByRole("region", { name: "Queued messages" }).waitFor();
    await expectInView(earlier);
  });

  test.for(mainlyOn("desktop"))(
    "links to a page for each card, on a %s",
    async (screen, { gateway, openDevice }) => {
      const api = new Api(gateway.url);
      const sessionId = await startDemo(gateway, PROMPTS.edit);
      const { interactionId } = await pending(api, sessionId);
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/i/${interactionId}`);
      await device.press(
        button(page.getByRole("article", { name: CARDS.checklist }), "Allow once"),
      );
      await page.getByRole("article", { name: "Submitted" }).getByText("Allowed once").waitFor();
      await page.getByText("Delivered to the agent").waitFor();
      await page.reload();
      await page.getByRole("article", { name: "Submitted" }).getByText("Allowed once").waitFor();
      await device.press(page.getByRole("link", { name: "Open the conversation" }));
      await card(page, "Submitted").waitFor();
    },
  );

  test("explains when a card's page does not exist", async ({ gateway, openDevice }) => {
    const device = await openDevice(gateway);
    device.allowProblem(/404/);
    await device.open("/i/int_unknown");
    await device.page.getByRole("alert").getByText("This request does not exist").waitFor();
  });
});
