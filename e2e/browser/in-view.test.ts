import type { HoldRequest } from "@holdpoint/engine";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, until } from "../support/api.ts";
import { rows } from "../support/breadth.ts";
import type { Device } from "../support/browser.ts";
import { button, expectReady, PROMPTS, SHOW_REST } from "./support/conversation.ts";
import {
  openScriptedGateway,
  sayAndAsk,
  type ScriptedGateway,
} from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

const LINES = 70;
const toText = (word: string) =>
  Array.from({ length: LINES }, (_, index) => `${word} of line ${index + 1}\n`).join("");

/** A change of a file that is taller than any screen, and an input field below it. */
const change = {
  kind: "approval",
  toolCallId: "call_change",
  toolName: "Edit",
  input: { file_path: "/app/a.ts", below: "the last field" },
  change: { path: "/app/a.ts", before: toText("before"), after: toText("after") },
  display: { title: "Edit a.ts" },
  scopes: ["once"],
  scopeText: {},
  editable: false,
} as unknown as HoldRequest;

const form: HoldRequest = {
  kind: "form",
  toolCallId: "call_form",
  toolName: "ask",
  prompt: "Edit a.ts",
  form: {
    schema: {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 24 }, (_, index) => [
          `field${index}`,
          { type: "string", title: `Field ${index}`, default: "as it is" },
        ]),
      ),
    },
  },
};

/** The page at 100 % on each screen, and a desktop's screen at 200 %. */
const SIZES = rows<readonly [string, { readonly width: number; readonly height: number }]>(
  [["390 px", { width: 390, height: 844 }]],
  [
    ["1440 px at 200 %", { width: 720, height: 450 }],
    ["1440 px", { width: 1440, height: 900 }],
    ["768 px", { width: 768, height: 1024 }],
  ],
);

const asked = (page: Page): Locator => page.getByRole("article", { name: "Edit a.ts" });
const isPending = async ({ url }: ScriptedGateway, sessionId: string): Promise<boolean> =>
  (await new Api(url).interactions(sessionId, "pending")).length === 1;

/** Whether an element is as visible to a person as the window allows, in front of everything else. */
async function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return there !== null && (one.contains(there) || there.contains(one)) && top >= 0;
  });
}

/** Longer than Allow needs to be armed. */
const settle = (page: Page) => page.waitForTimeout(800);

/** Turns the wheel over the conversation. */
async function turnWheel(page: Page, by: number): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByRole("log").boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, by);
  await page.waitForTimeout(60);
}

describe("[R-6] An approval that is taller than the screen", () => {
  test.for(SIZES)(
    "can be denied at any time, and allowed only once each line and field was in view, at %s",
    async ([, size], { owned, openDevice }) => {
      const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [change])));
      const device = await openDevice(gateway);
      const { page } = device;
      await page.setViewportSize(size);
      const sessionId = await gateway.start();
      await device.open(`/s/${sessionId}`);
      const card = asked(page);
      const allow = button(card, "Allow once");
      await button(card, `Show all ${2 * LINES} changed lines`).click();
      await settle(page);
      expect(await isInSight(button(card, "Deny"))).toBe(true);
      expect(await allow.isEnabled()).toBe(false);
      await card.focus();
      await page.keyboard.press("a");
      await allow.click({ force: true });
      expect(await isPending(gateway, sessionId)).toBe(true);

      // The end is in view, but not the part before it.
      await conversationTo(page, "end");
      await settle(page);
      expect(await isInSight(card.getByText("the last field").first())).toBe(true);
      expect(await isInSight(button(card, "Deny"))).toBe(true);
      expect(await allow.isEnabled()).toBe(false);

      await conversationTo(page, "start");
      const middle = card.locator(".hp-diff-row").nth(LINES);
      let turns = 0;
      while (!(await isInSight(middle))) {
        expect(await allow.isEnabled()).toBe(false);
        expect(await isInSight(button(card, "Deny"))).toBe(true);
        await turnWheel(page, size.height / 10);
        turns += 1;
        expect(turns).toBeLessThan(200);
      }
      while (!(await allow.isEnabled())) {
        await turnWheel(page, size.height / 10);
        turns += 1;
        expect(turns).toBeLessThan(200);
      }
      await device.press(allow);
      await until(async () => !(await isPending(gateway, sessionId)), "the approval to be over");
    },
  );
});

/** Jumps at once, as dragging the scroll bar does. */
async function conversationTo(page: Page, end: "start" | "end"): Promise<void> {
  await page.getByRole("log").evaluate((log, where) => {
    log.scrollTop = where === "end" ? log.scrollHeight : 0;
  }, end);
  await page.waitForTimeout(100);
}

const STUCK = "Cannot scroll to the rest here. Continue without it";

/** A place, the size of the window, and a change of the card's body. */
type Place = readonly [
  name: string,
  size: { readonly width: number; readonly height: number },
  spoil: (body: HTMLElement) => void,
];

/** Places where a card cannot be seen in full at once, or at all. */
const PLACES = rows<Place>(
  [
    ["a phone's card alone", { width: 390, height: 844 }, () => undefined],
    [
      "a page that scrolls around what scrolls",
      { width: 1440, height: 900 },
      (body) => {
        const log = body.closest<HTMLElement>("[role=log]");
        if (log !== null) log.style.cssText += "flex: none; height: 700px; margin-top: 600px";
        const frame = log?.parentElement;
        if (frame) frame.style.cssText += "flex: none; height: 500px; overflow-y: auto";
      },
    ],
  ],
  [
    ["the conversation", { width: 1440, height: 900 }, () => undefined],
    [
      "a card alone with room for hardly more than its actions",
      { width: 320, height: 256 },
      () => undefined,
    ],
    [
      "a body that scrolls by itself",
      { width: 1440, height: 900 },
      (body) => void (body.style.cssText += "max-height: 260px; overflow-y: auto"),
    ],
  ],
);

/** Presses again as soon as the button shows the next text. */
async function pressTwice(one: HTMLElement, next: string): Promise<void> {
  one.click();
  while (one.textContent !== next) await new Promise(requestAnimationFrame);
  one.click();
}

/** The device shows all lines of the change that a new session asks about. */
async function openChange(gateway: ScriptedGateway, device: Device) {
  const { page } = device;
  const sessionId = await gateway.start();
  await device.open(`/s/${sessionId}`);
  const card = asked(page);
  await button(card, `Show all ${2 * LINES} changed lines`).click();
  return { page, sessionId, card };
}

describe("[R-6] An approval that was not seen in full", () => {
  test.for(PLACES)(
    "leads to the unseen parts by a press, and can then be allowed, in %s",
    async ([place, size, spoil], { owned, openDevice }) => {
      const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [change])));
      const device = await openDevice(gateway);
      const { page } = device;
      await page.setViewportSize(size);
      const sessionId = await gateway.start();
      const { interactionId } = await until(
        async () => (await new Api(gateway.url).interactions(sessionId, "pending"))[0],
        "the approval",
      );
      await device.open(place.includes("alone") ? `/i/${interactionId}` : `/s/${sessionId}`);
      const card = asked(page);
      await button(card, `Show all ${2 * LINES} changed lines`).click();
      await card.locator(".hp-card-body").evaluate(spoil);
      const allow = button(card, "Allow once");
      const show = button(card, SHOW_REST);
      let presses = 0;
      while (!(await allow.isEnabled())) {
        expect(await button(card, STUCK).count()).toBe(0);
        // The button disappears as soon as nothing is missing, possibly right now.
        if ((await show.count()) > 0) await show.click({ timeout: 1000 }).catch(() => undefined);
        await page.waitForTimeout(150);
        presses += 1;
        expect(presses).toBeLessThan(150);
      }
      expect(presses).toBeGreaterThan(1);
      await device.press(allow);
      await until(async () => !(await isPending(gateway, sessionId)), "the approval to be over");
    },
  );

  test("does not count as seen when it was in view only for a frame, before the cards above it got their height", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await page.getByRole("textbox").first().fill(PROMPTS.threeThings);
    await page.keyboard.press("Enter");
    const below = page.getByRole("article", { name: /visits\.md/ });
    await below.waitFor();
    await settle(page);
    expect(await button(below, SHOW_REST).count()).toBe(1);
    expect(await button(below, "Allow once").isEnabled()).toBe(false);
  });

  test("names a part that cannot be scrolled into view, and can be allowed only after a press on that message", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [change])));
    const { page, sessionId, card } = await openChange(gateway, await openDevice(gateway));
    await card.locator(".hp-card-body").evaluate((body) => {
      (body as HTMLElement).style.cssText += "max-height: 260px; overflow: clip";
    });
    const allow = button(card, "Allow once");
    await button(card, SHOW_REST).evaluate(pressTwice, STUCK);
    await button(card, STUCK).waitFor();
    await card.focus();
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press("a");
      await allow.click({ force: true });
      await page.waitForTimeout(100);
    }
    await settle(page);
    expect(await allow.isEnabled()).toBe(false);
    expect(await isPending(gateway, sessionId)).toBe(true);
    while (!(await allow.isEnabled())) {
      for (const words of [STUCK, SHOW_REST]) {
        if ((await button(card, words).count()) > 0) await button(card, words).click();
      }
      await page.waitForTimeout(150);
    }
    await allow.click();
    await until(async () => !(await isPending(gateway, sessionId)), "the approval to be over");
  });

  test("can be stepped through with its key alone, and tells a screen reader why it cannot be allowed yet", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [change])));
    const { page, sessionId, card } = await openChange(gateway, await openDevice(gateway));
    await settle(page);
    expect(
      await page.getByRole("button", { name: "Allow once", description: SHOW_REST }).count(),
    ).toBe(1);
    await card.focus();
    const lastLine = card.locator(".hp-diff-added").last();
    let presses = 0;
    let isSeen = false;
    while (await isPending(gateway, sessionId)) {
      isSeen ||= await isInSight(lastLine);
      await page.keyboard.press("a");
      await page.waitForTimeout(100);
      presses += 1;
      const tooSoon = !isSeen && !(await isPending(gateway, sessionId));
      expect(tooSoon).toBe(false);
      expect(presses).toBeLessThan(60);
    }
    expect(isSeen).toBe(true);
    expect(presses).toBeGreaterThan(2);
  });

  test("has to be seen again when its lines break elsewhere before it was seen in full", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [change])));
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${await gateway.start()}`);
    const card = asked(page);
    await button(card, `Show all ${2 * LINES} changed lines`).click();
    const allow = button(card, "Allow once");
    for (let presses = 0; presses < 2; presses += 1) {
      await button(card, SHOW_REST).click();
      await page.waitForTimeout(100);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await conversationTo(page, "end");
    await settle(page);
    expect(await allow.isEnabled()).toBe(false);
    await expectReady(allow);
    await page.setViewportSize({ width: 1440, height: 900 });
    await settle(page);
    expect(await allow.isEnabled()).toBe(true);
  });
});

test("[R-6] A line counts as seen by a person who has zoomed in only once both its ends were in view", async ({
  owned,
  openDevice,
}) => {
  const command = `echo ${"word ".repeat(20)} && rm -rf the-end`;
  const wide = { ...change, change: undefined, input: { command } } as unknown as HoldRequest;
  const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [wide])));
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "scripted" });
  const device = await openDevice(gateway, { screen: "phone" });
  const { page } = device;
  await device.open(`/s/${sessionId}`);
  await page.getByRole("textbox").waitFor();
  const devTools = await device.context.newCDPSession(page);
  await devTools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 3 });
  await api.send(sessionId, "Begin");
  const card = asked(page);
  const allow = button(card, "Allow once");
  for (const part of [".hp-facts", ".hp-code", ".hp-card-actions"]) {
    await card.locator(part).evaluate((one) => one.scrollIntoView({ inline: "start" }));
    await page.waitForTimeout(150);
  }
  await settle(page);
  expect(await allow.isEnabled()).toBe(false);

  const show = button(card, SHOW_REST);
  while ((await show.count()) > 0) {
    await show.dispatchEvent("click");
    await page.waitForTimeout(100);
    expect(await button(card, STUCK).count()).toBe(0);
  }
  const isEndInView = () =>
    visualViewport!.offsetLeft + visualViewport!.width >=
    document.querySelector(".hp-code")!.getBoundingClientRect().right;
  expect(await page.evaluate(isEndInView)).toBe(true);
  await expect.poll(() => allow.isEnabled()).toBe(true);
});

test("[R-6] Approval for longer is possible only once each line of its coverage was in view", async ({
  owned,
  openDevice,
}) => {
  const wide = {
    ...change,
    change: undefined,
    input: { command: "ls" },
    scopes: ["once", "session"],
    scopeText: { session: `${"Covers this as well. ".repeat(80)}And the last line.` },
  } as unknown as HoldRequest;
  const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [wide])));
  const device = await openDevice(gateway);
  const { page } = device;
  await page.setViewportSize({ width: 720, height: 450 });
  const sessionId = await gateway.start();
  await device.open(`/s/${sessionId}`);
  const card = asked(page);
  await expectReady(button(card, "Allow once"));
  await button(card, "Allow for longer").click();
  await button(card, "Show all").click();
  await settle(page);
  const forSession = button(card, "Allow for session");
  expect(await forSession.isEnabled()).toBe(false);
  let presses = 0;
  while (await isPending(gateway, sessionId)) {
    // The last press may already have ended it.
    await forSession.click({ force: true, timeout: 1000 }).catch(() => undefined);
    await page.waitForTimeout(150);
    presses += 1;
  }
  expect(presses).toBeGreaterThan(2);
});

test("[R-6] a plan never overflows the view, however wide its tables are", async ({
  owned,
  openDevice,
}) => {
  const toTable = (columns: number) => {
    const toRow = (word: string) => `| ${`${word} | `.repeat(columns)}`;
    return [toRow("Column"), toRow("---"), toRow("a-value-of-one-word")].join("\n");
  };
  const planned = {
    ...change,
    toolName: "ExitPlanMode",
    input: { plan: [4, 7, 20].map(toTable).join("\n\n") },
    change: undefined,
    display: { title: "Plan" },
  } as unknown as HoldRequest;
  const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [planned])));
  const device = await openDevice(gateway);
  const { page } = device;
  await page.setViewportSize({ width: 320, height: 700 });
  await device.open(`/s/${await gateway.start()}`);
  const cells = page.locator(".hp-plan :is(th, td)");
  await expect.poll(() => cells.count()).toBe(2 * (4 + 7 + 20));
  const isBeside = (all: Element[]) =>
    all.filter((cell) => {
      const plan = cell.closest(".hp-plan")!.getBoundingClientRect();
      const { left, right } = cell.getBoundingClientRect();
      return left < plan.left - 1 || right > plan.right + 1 || cell.scrollWidth > cell.clientWidth;
    }).length;
  expect(await cells.evaluateAll(isBeside)).toBe(0);
});

test("[R-6] A form can be sent only once each of its fields was in view", async ({
  owned,
  openDevice,
}) => {
  const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [form])));
  const device = await openDevice(gateway, { screen: "phone" });
  const { page } = device;
  const sessionId = await gateway.start();
  await device.open(`/s/${sessionId}`);
  const card = asked(page);
  const submit = button(card, "Submit");
  await conversationTo(page, "start");
  await card.getByLabel("Field 0").press("Enter");
  await settle(page);
  expect(await submit.isEnabled()).toBe(false);
  expect(await isPending(gateway, sessionId)).toBe(true);
  expect(await isInSight(button(card, "Cancel"))).toBe(true);
  await expectReady(submit);
  await device.press(submit);
  await until(async () => !(await isPending(gateway, sessionId)), "the form to be over");
});
