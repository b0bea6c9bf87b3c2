import { readFile } from "node:fs/promises";

import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import { rows } from "../support/breadth.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectFocus,
  expectInView,
  expectReady,
  openDemo,
  openScopes,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { test, mainlyOn } from "./support/test.ts";

const ARMING_MS = 500;

describe("An approval", () => {
  test.for(mainlyOn("phone"))(
    "is denied with a reason that reaches the agent, and nothing runs, on a %s",
    async (screen, { gateway, openDevice }) => {
      const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.edit, {
        screen,
      });
      const checklist = card(page, CARDS.checklist);
      await device.press(button(checklist, "Deny with a reason, or stop the turn"));
      const reason = checklist.getByRole("textbox", { name: /Why not\?/ });
      await expectFocus(reason);
      expect(await button(checklist, "Allow once").count()).toBe(0);
      await reason.fill("Not on a Friday");
      await device.press(button(checklist, "Deny"));
      const settled = card(page, "Submitted");
      await settled.getByText("Denied").waitFor();
      await settled.getByText("“Not on a Friday”").waitFor();
      await conversation(page).getByRole("blockquote").getByText("Not on a Friday").waitFor();
      const [denied] = await new Api(gateway.url).interactions(sessionId, "delivered");
      const { path = "", before } = denied?.approval?.change ?? {};
      expect(await readFile(path, "utf8")).toBe(before);
    },
  );

  test.for(mainlyOn("desktop"))(
    "[R-6] that was edited runs as edited on a %s",
    async (screen, { gateway, openDevice }) => {
      const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.edit, {
        screen,
      });
      const checklist = card(page, CARDS.checklist);
      await device.press(button(checklist, "Edit"));
      await checklist.getByText("No changes yet").waitFor();
      const editor = checklist.getByRole("textbox");
      const text = await editor.inputValue();
      expect(text).not.toContain("\\n");
      const place = await editor.boundingBox();
      await editor.fill(text.replace("ticked by the demo agent", "ticked by Eve"));
      await checklist.getByRole("figure", { name: "Your changes" }).waitFor();
      // Elements below the card come and go; the field that a person types into does not move.
      await page.waitForTimeout(100);
      expect(await editor.boundingBox()).toEqual(place);
      await editor.fill(text);
      await device.press(button(checklist, "Edit as JSON"));
      await checklist.getByLabel("New input, as JSON").waitFor();
      const asked = await editor.inputValue();
      await editor.fill("{ no JSON");
      await checklist.getByText("Fix the edit first").waitFor();
      await editor.fill(asked.replace("ticked by the demo agent", "ticked by Ada"));
      await checklist.getByRole("figure", { name: "Your changes" }).waitFor();
      await expectReady(button(checklist, "Allow edited"));
      await device.press(button(checklist, "Allow edited"));
      await card(page, "Submitted").getByText("Allowed once, with edits").waitFor();
      await conversation(page).getByText("Done, with your change").waitFor();
      const [edited] = await new Api(gateway.url).interactions(sessionId, "delivered");
      const file = await readFile(edited?.approval?.change?.path ?? "", "utf8");
      expect(file).toContain("ticked by Ada");
      expect(file).not.toContain("the demo agent");
    },
  );

  test("for the session shows its coverage, and the next edit does not ask", async ({
    gateway,
    openDevice,
  }) => {
    const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.edit);
    const scopes = await openScopes(device, card(page, CARDS.checklist));
    await scopes.getByText("Every file edit of this session in").waitFor();
    await expectReady(button(scopes, "Allow for session"));
    await device.press(button(scopes, "Allow for session"));
    await card(page, "Submitted").getByText("Allowed for this session").waitFor();
    await button(page, "Stop").waitFor({ state: "detached" });
    await composer(page).fill(PROMPTS.edit);
    await composer(page).press("Enter");
    await conversation(page).getByText("as you allowed edits in my folder").waitFor();
    const asked = await new Api(gateway.url).interactions(sessionId, "delivered");
    expect(asked).toHaveLength(1);
    await device.open("/grants");
    await page.getByText("Every file edit of this session in").first().waitFor();
  });

  test.for(
    rows<readonly [string, "/s/" | "/i/"]>(
      [["the conversation", "/s/"]],
      [["its own page", "/i/"]],
    ),
  )(
    "moves no button on a phone when its scopes are opened and closed, in %s",
    async ([, path], { gateway, openDevice }) => {
      const device = await openDevice(gateway, { screen: "phone" });
      const { page } = device;
      const sessionId = await startDemo(gateway, PROMPTS.edit);
      const { interactionId } = await pending(new Api(gateway.url), sessionId);
      await device.open(path + (path === "/s/" ? sessionId : interactionId));
      const checklist = page.getByRole("article", { name: CARDS.checklist });
      const opener = button(checklist, "Allow for longer");
      const scopes = checklist.getByRole("group", { name: "Allow for longer" });
      const resize = async (height: number): Promise<void> => {
        await page.setViewportSize({ width: 390, height });
        await page.evaluate(twoFrames);
        // A card whose size changes takes no press at first.
        await checklist.locator(".hp-card-actions:not([data-shifted])").waitFor();
      };
      await resize(1800);
      await expectReady(button(checklist, "Allow once"));
      const room = await checklist.evaluate(measureRoomBelow);
      // In order: taller than the screen, at its end, with a little room below, and with enough.
      for (const height of [640, 844, 1800 - room + 50, 1800]) {
        await resize(height);
        const before = { height, places: await checklist.evaluate(placesOfButtons) };
        await opener.tap({ force: true });
        await expectInView(scopes);
        await page.evaluate(twoFrames);
        expect({ height, places: await checklist.evaluate(placesOfButtons) }).toEqual(before);
        await opener.tap({ force: true });
        await scopes.waitFor({ state: "detached" });
        await page.evaluate(twoFrames);
        expect({ height, places: await checklist.evaluate(placesOfButtons) }).toEqual(before);
      }
    },
  );

  test("for the session answers the other pending approvals that it covers", async ({
    gateway,
    openDevice,
  }) => {
    const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.threeEdits);
    const scopes = await openScopes(device, card(page, "Write noon.md"));
    const forSession = button(scopes, "Allow for session");
    await expectReady(forSession);
    await device.press(forSession);
    await button(page, "Stop").waitFor({ state: "detached" });
    const log = conversation(page);
    await log.getByText("Done: noon.md now has exactly the change that you saw.").waitFor();
    for (const file of ["morning.md", "night.md"]) {
      await log.getByText(`Done: I changed ${file}, as you allowed edits`).waitFor();
    }
    const api = new Api(gateway.url);
    const settled = await api.interactions(sessionId, "delivered");
    const { grantId } = settled.find(({ response }) => response?.grantId)?.response ?? {};
    expect(settled.filter(({ response }) => response?.grantId === grantId)).toHaveLength(2);
  });

  test("that is taller than a phone's screen keeps its actions within reach", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway, { screen: "phone" });
    const { page } = device;
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    await page.setViewportSize({ width: 390, height: 640 });
    await device.open(`/s/${sessionId}`);
    const checklist = card(page, CARDS.checklist);
    await expectInView(checklist);
    await expectInView(button(checklist, "Allow once"));
    await expectInView(button(checklist, "Deny"));
    const { height = 0 } = (await checklist.boundingBox()) ?? {};
    expect(height).toBeGreaterThan(640);

    // A turned phone with an open keyboard.
    await page.setViewportSize({ width: 844, height: 180 });
    await button(checklist, "Edit").press("Enter");
    await expectInView(checklist.getByRole("textbox"));
    expect((await conversation(page).boundingBox())?.height).toBeGreaterThan(120);
    await conversation(page).focus();
    await expectInView(composer(page));
  });

  test.for(
    rows<readonly [string, "/s/" | "/i/"]>(
      [["its own page", "/i/"]],
      [["the conversation", "/s/"]],
    ),
  )(
    "shows nothing below its actions on a phone and never covers the focus with them, on %s",
    async ([, path], { gateway, openDevice }) => {
      const device = await openDevice(gateway, { screen: "phone" });
      const { page } = device;
      await page.setViewportSize({ width: 390, height: 640 });
      const sessionId = await startDemo(gateway, PROMPTS.edit);
      const { interactionId } = await pending(new Api(gateway.url), sessionId);
      await device.open(path + (path === "/s/" ? sessionId : interactionId));
      const checklist = page.getByRole("article", { name: CARDS.checklist });
      const allow = button(checklist, "Allow once");
      await expectInView(checklist);
      await expectReady(allow);
      expect(await checklist.evaluate(findBelowActions)).toBe("");
      await checklist.focus();
      const focused: string[] = [];
      while (!(await allow.evaluate((element) => element === document.activeElement))) {
        await page.keyboard.press("Tab");
        await expect.poll(() => page.evaluate(isFocusUncovered)).toBe(true);
        focused.push(await page.evaluate(() => document.activeElement?.textContent ?? ""));
      }
      expect(focused).toContain("Exact input");
    },
  );

  test.for(mainlyOn("phone"))(
    "is withdrawn when the person stops the turn on a %s",
    async (screen, { gateway, openDevice }) => {
      const { device, page } = await openDemo(openDevice, gateway, PROMPTS.edit, { screen });
      const checklist = card(page, CARDS.checklist);
      await checklist.waitFor();
      await device.press(button(page, "Stop"));
      await card(page, "Withdrawn").waitFor();
      await conversation(page).getByText("Stopped. Send a message to continue.").waitFor();
      expect(await checklist.count()).toBe(0);
      await button(page, "Stop").waitFor({ state: "detached" });
    },
  );

  test("does not take the focus when it appears, and takes keys only while it has it", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo" });
    await device.open(`/s/${sessionId}`);
    await composer(page).focus();
    await api.send(sessionId, PROMPTS.edit);
    const { interactionId } = await pending(api, sessionId);
    const checklist = card(page, CARDS.checklist);
    await expectReady(button(checklist, "Allow once"));
    await expectFocus(composer(page));
    await page.keyboard.type("dad");
    expect(await composer(page).inputValue()).toBe("dad");

    await conversation(page).focus();
    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await button(checklist, "Edit").focus();
    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await checklist.focus();
    await page.keyboard.press("Control+d");
    expect((await api.interaction(interactionId)).status).toBe("pending");

    await page.keyboard.press("a");
    await card(page, "Submitted").getByText("Allowed once").waitFor();
    await expectFocus(card(page, "Submitted"));

    await button(page, "Stop").waitFor({ state: "detached" });
    await composer(page).fill(PROMPTS.edit);
    await composer(page).press("Enter");
    await checklist.focus();
    await page.keyboard.press("d");
    await card(page, "Submitted").getByText("Denied").waitFor();
  });

  test(`cannot be allowed before it has been still for ${ARMING_MS} ms`, async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo" });
    await device.open(`/s/${sessionId}`);
    await button(page, PROMPTS.edit).waitFor();
    const armed = page.evaluate(measureArming);
    await api.send(sessionId, PROMPTS.edit);
    const { blockedMs, pressedWhileBlocked } = await armed;
    expect(pressedWhileBlocked).toBeGreaterThan(0);
    expect(blockedMs).toBeGreaterThanOrEqual(ARMING_MS - 50);
    const { interactionId } = await pending(api, sessionId);
    expect((await api.interaction(interactionId)).status).toBe("pending");
  });
});

/** Runs in the page: presses Allow and its key from the moment it is drawn until it is no longer blocked. */
function measureArming(): Promise<{ blockedMs: number; pressedWhileBlocked: number }> {
  return new Promise((resolve) => {
    let drawnAt: number | undefined;
    let pressedWhileBlocked = 0;
    const findAllow = (): HTMLButtonElement | undefined =>
      [...document.querySelectorAll<HTMLButtonElement>("[role=log] article button")].find((one) =>
        one.textContent?.startsWith("Allow once"),
      );
    const isBlocked = (allow: HTMLButtonElement): boolean =>
      allow.disabled || allow.getAttribute("aria-disabled") === "true";
    const press = (): void => {
      const allow = findAllow();
      if (allow !== undefined && isBlocked(allow)) {
        allow.click();
        const key = new KeyboardEvent("keydown", { key: "a", bubbles: true });
        allow.closest("article")?.dispatchEvent(key);
        pressedWhileBlocked += 1;
      }
      if (allow === undefined || isBlocked(allow)) requestAnimationFrame(press);
    };
    press();
    const observer = new MutationObserver(() => {
      const allow = findAllow();
      if (allow === undefined) return;
      drawnAt ??= performance.now();
      if (isBlocked(allow)) return;
      observer.disconnect();
      resolve({ blockedMs: performance.now() - drawnAt, pressedWhileBlocked });
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}

function placesOfButtons(card: Element): readonly unknown[] {
  return [...card.querySelectorAll(".hp-actions button")].map((one) => {
    const { left, top } = one.getBoundingClientRect();
    return [one.textContent, Math.round(left), Math.round(top)];
  });
}

function measureRoomBelow(card: Element): number {
  const around = card.closest(".hp-transcript") ?? document.documentElement;
  return Math.round(around.getBoundingClientRect().bottom - card.getBoundingClientRect().bottom);
}

function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/** Everything visible of a card between its actions and the edge of the scrolling area. */
function findBelowActions(card: Element): string {
  const { bottom, left } =
    card.querySelector(".hp-actions")?.getBoundingClientRect() ?? card.getBoundingClientRect();
  const scroller = card.closest(".hp-transcript, .card-page")?.getBoundingClientRect();
  const below = document.elementFromPoint(left + 20, bottom + 4);
  const isInside = scroller !== undefined && bottom + 4 < scroller.bottom;
  return isInside && card.contains(below) ? (below?.className ?? "") : "";
}

function isFocusUncovered(): boolean {
  const { activeElement } = document;
  if (activeElement === null) return false;
  const { left, top, bottom } = activeElement.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => {
    const there = document.elementFromPoint(left + 12, y);
    return there !== null && (activeElement.contains(there) || there.contains(activeElement));
  });
}
