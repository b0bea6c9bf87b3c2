import type { HoldRequest } from "@holdpoint/engine";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { button } from "./support/conversation.ts";
import {
  openScriptedGateway,
  sayAndAsk,
  type ScriptedGateway,
} from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

const OPEN = 200;
const ASKED = "Run echo done?";
/** A page of this size takes a moment on a busy machine. */
const SOON = { timeout: 40_000 };

const REQUEST: HoldRequest = {
  kind: "approval",
  toolCallId: "call_command",
  toolName: "Bash",
  input: { command: "echo done" },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: false,
};

/** A gateway with that many asking sessions, oldest first. */
async function openBusyGateway(): Promise<{ gateway: ScriptedGateway; sessionIds: string[] }> {
  const gateway = await openScriptedGateway(sayAndAsk([], [REQUEST]));
  const sessionIds: string[] = [];
  while (sessionIds.length < OPEN) {
    const next = Array.from({ length: 10 }, (_, index) =>
      gateway.start(`Task ${sessionIds.length + index + 1}`),
    );
    sessionIds.push(...(await Promise.all(next)));
  }
  return { gateway, sessionIds };
}

describe("With 200 pending interactions", () => {
  test("the page counts them all, loads more on request, and counts down on every page", async ({
    owned,
    openDevice,
  }) => {
    const { gateway, sessionIds } = await openBusyGateway();
    owned.use(gateway);
    const [one, other] = [await openDevice(gateway), await openDevice(gateway)];
    for (const device of [one, other]) {
      await device.open();
      await expect.poll(() => device.page.title(), SOON).toBe(`(200) ${ASKED} · Holdpoint`);
    }
    const inbox = one.page.getByRole("complementary", { name: "Inbox" });
    const entries = inbox.getByRole("listitem");
    await expect.poll(() => entries.count(), SOON).toBe(50);

    const more = button(inbox, "Show more (150)");
    await more.focus();
    await one.page.keyboard.press("Enter");
    await expect.poll(() => entries.count(), SOON).toBe(100);
    await button(inbox, "Show more (100)").waitFor();
    const names = await inbox.locator(".inbox-where").allInnerTexts();
    expect(names.filter((name) => name.startsWith("Session"))).toEqual([]);

    // The card of a line at the end of the view opens in view, and ignores the second press of a double click.
    const line = entries.nth(70).getByRole("button").first();
    for (const left of [40, 100, 200]) {
      const { x, y } = await line.evaluate((element) => {
        element.scrollIntoView({ block: "end" });
        return element.getBoundingClientRect();
      });
      await one.page.mouse.dblclick(x + left, y + 10);
      await inbox.getByRole("article").waitFor();
      await line.click();
    }
    expect(await one.page.title()).toMatch(/^\(200\) /);
    await one.press(line);
    await one.press(button(inbox, "Allow once"));
    for (const { page } of [one, other]) {
      await expect.poll(() => page.title(), SOON).toBe(`(199) ${ASKED} · Holdpoint`);
    }
    await button(inbox, "Show more (100)").waitFor();

    // A request that no page has loaded is answered elsewhere.
    const api = new Api(gateway.url);
    const [newest] = await api.interactions(sessionIds.at(-1)!, "pending");
    await api.respond(newest!.interactionId, { action: "deny" });
    for (const { page } of [one, other]) {
      await expect.poll(() => page.title(), SOON).toBe(`(198) ${ASKED} · Holdpoint`);
    }
    await button(inbox, "Show more (99)").waitFor();

    const rail = one.page.getByRole("navigation", { name: "Sessions" });
    await rail.getByText("Waiting for you (198)").waitFor();
    const sessions = rail.getByRole("listitem");
    const before = await sessions.count();
    await one.press(rail.getByRole("button", { name: /^Show more \(\d+\)$/ }));
    await expect.poll(() => sessions.count(), SOON).toBe(before + 50);

    // A session beyond the loaded pages has its header, and is shown as waiting.
    await other.open(`/s/${sessionIds[100]!}`);
    await other.page.getByRole("heading", { level: 1, name: "Task 101" }).waitFor();
    await other.page.getByRole("article", { name: ASKED }).waitFor();
    await expect.poll(() => other.page.title(), SOON).toBe(`(198) ${ASKED} · Holdpoint`);
  });
});
