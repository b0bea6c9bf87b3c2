import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { button, expectReady } from "./support/conversation.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

const toRequest = (command: string): HoldRequest => ({
  kind: "approval",
  toolCallId: `call_${command.length}`,
  toolName: "Bash",
  input: { command },
  display: { title: `Run ${command}` },
  scopes: ["once"],
  scopeText: {},
  editable: false,
});

/** Asks for the commands in the message, at once or one after the other. */
const ask: TurnScript = async (message, context) => {
  for (const commands of message.content.split(" then ")) {
    await sayAndAsk([], commands.split(" & ").map(toRequest))(message, context);
  }
  return { reason: "done" };
};

/** A request that is alone waits without its agent. */
const openGateway = () => openScriptedGateway(ask, { parkAfterMs: 0 });

/** Watches from now on for `gone` to disappear, and whether a press reaches `button` at that moment. */
function lookAt(button: Element, gone: Element): { readonly isReached: Promise<boolean> } {
  const look = async (): Promise<boolean> => {
    const isThere = (): boolean => gone.isConnected && getComputedStyle(gone).display !== "none";
    while (isThere()) await new Promise(requestAnimationFrame);
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return there?.closest("button") === button;
  };
  return { isReached: look() };
}

/** Changes an element's style, and resolves once the button has moved, with whether a press reaches it soon after. */
async function isMovedAndReached(
  above: Element,
  [style, button]: readonly [string, Node | null],
): Promise<boolean> {
  const frame = () => new Promise(requestAnimationFrame);
  const pressed = button as HTMLElement;
  const { top: before } = pressed.getBoundingClientRect();
  (above as HTMLElement).style.cssText += style;
  while (pressed.getBoundingClientRect().top === before) await frame();
  for (let frames = 0; frames < 4; frames += 1) await frame();
  const { left, right, top, bottom } = pressed.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return there?.closest("button") === pressed;
}

/**
 * Resolves once it watches, with a function that resolves to whether a press reaches the button when `gone` has
 * disappeared.
 */
async function watch(pressable: Locator, gone: Locator): Promise<() => Promise<boolean>> {
  const element = await gone.elementHandle();
  if (!element) throw new Error("It is gone already.");
  const looking = await pressable.evaluateHandle(lookAt, element);
  return () => looking.evaluate(({ isReached }) => isReached);
}

/** Resolves once a card with that name appears, with whether a press reaches its Deny at that moment. */
async function isDenyReached(log: Element, name: string): Promise<boolean> {
  const find = () =>
    [...log.querySelectorAll("article")]
      .find((card) => card.querySelector(".hp-card-title")?.textContent === name)
      ?.querySelector(".hp-actions button");
  while (!find()) await new Promise(requestAnimationFrame);
  const { left, right, top, bottom } = find()!.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return there?.closest("button") === find();
}

describe("[R-6] A button that moves under the pointer cannot be pressed at once:", () => {
  test("on the card below an answered one, with the second half of a double click", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openGateway());
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${await gateway.start("make all & make")}`);
    const [first, below] = ["Run make all", "Run make"].map((name) =>
      button(page.getByRole("article", { name, exact: true }), "Allow once"),
    ) as [Locator, Locator];
    await expectReady(first);
    await expectReady(below);
    const isReached = await watch(below, first);
    await first.click();
    expect(await isReached()).toBe(false);
    await below.click();
    await expect.poll(() => page.getByRole("article", { name: "Submitted" }).count()).toBe(2);
  });

  test("on the next card, where the one before it was denied", async ({ owned, openDevice }) => {
    const gateway = owned.use(await openScriptedGateway(ask));
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${await gateway.start("make all then make")}`);
    const deny = (name: string) => button(page.getByRole("article", { name, exact: true }), "Deny");
    await deny("Run make all").waitFor();
    const reached = page.getByRole("log").evaluate(isDenyReached, "Run make");
    await deny("Run make all").click();
    expect(await reached).toBe(false);
    await deny("Run make").click();
    await expect.poll(() => page.locator(".hp-done-no").count()).toBe(2);
  });

  test.for(mainlyOn("phone"))(
    "on the card above an offer to undo, with a press that comes too late for the offer, on a %s",
    async (screen, { owned, openDevice }) => {
      const gateway = owned.use(await openGateway());
      const api = new Api(gateway.url);
      for (const command of ["ls", "make"]) await pending(api, await gateway.start(command));
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open();
      if (screen === "phone") {
        await device.press(page.getByRole("navigation", { name: "Views" }).getByText("Inbox"));
      }
      const inbox = page.getByRole("complementary", { name: "Inbox" });
      await device.press(inbox.getByRole("listitem").first().getByRole("button"));
      await expectReady(button(inbox, "Allow once"));
      await device.press(button(inbox, "Allow once"));
      const undo = button(inbox.getByRole("region", { name: "Messages" }), "Undo");
      await undo.waitFor();
      const next = button(inbox.getByRole("article", { name: "Run make" }), "Allow once");
      await next.waitFor();
      const isReached = await watch(next, undo);
      expect(await isReached()).toBe(false);
      await expectReady(next);
      await device.press(next);
      await expect.poll(() => page.title()).not.toContain("(");
    },
  );

  test.for([
    ["what stands above it has grown", 1, ".hp-row:has(article)", "padding-bottom: 40px"],
    ["what stands below all has grown", 0, ".hp-dock", "padding-bottom: 60px"],
  ] as const)(
    "on a card that has moved because %s",
    async ([, index, part, style], { owned, openDevice }) => {
      const asked = ["ls", "make", "make 3", "make 04", "make 005"].slice(0, 1 + 4 * index);
      const said = Array.from({ length: 9 }, () => "The agent says this, and more.\n\n".repeat(9));
      const script = sayAndAsk(said, asked.map(toRequest));
      const gateway = owned.use(await openScriptedGateway(script));
      const device = await openDevice(gateway);
      const { page } = device;
      await device.open(`/s/${await gateway.start()}`);
      const card = page.getByRole("article", { name: `Run ${asked[index]}`, exact: true });
      const allow = button(card, "Allow once");
      await expectReady(allow);
      // From here on the conversation stays at the person's scroll position.
      await card.hover();
      await page.mouse.wheel(0, 1);
      const how = [style, await allow.elementHandle()] as const;
      expect(await page.locator(part).first().evaluate(isMovedAndReached, how)).toBe(false);
      await allow.click();
      await card.waitFor({ state: "detached" });
    },
  );

  test("on a card in the inbox when another device answers the card above it", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openGateway());
    const api = new Api(gateway.url);
    const { interactionId } = await pending(api, await gateway.start("ls"));
    await pending(api, await gateway.start("make"));
    const device = await openDevice(gateway);
    await device.open();
    const inbox = device.page.getByRole("complementary", { name: "Inbox" });
    const [above, line] = ["ls", "make"].map((command) =>
      inbox.getByRole("listitem").filter({ hasText: `Run ${command}` }),
    ) as [Locator, Locator];
    await device.press(line.getByRole("button"));
    const allow = button(inbox, "Allow once");
    await expectReady(allow);
    const isReached = await watch(allow, above);
    await api.respond(interactionId, { action: "deny" });
    expect(await isReached()).toBe(false);
    await allow.click();
    await expect.poll(() => device.page.title()).not.toContain("(");
  });
});
