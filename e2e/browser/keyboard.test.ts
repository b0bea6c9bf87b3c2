import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  expectFocus,
  expectReady,
  openDemo,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { test } from "./support/test.ts";

/** Presses Tab until the element has the focus; fails when it cannot be reached. */
async function tabTo(page: Page, element: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  expect.fail("It cannot be reached with the keyboard.");
}

describe("Without a mouse", () => {
  test("a person gets from the launch link to the end of the tour", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const { page } = await openDevice(gateway, { signedIn: false });
    await page.goto(gateway.launchUrl);
    await button(page, PROMPTS.tour).waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Next waiting card").waitFor();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "detached" });
    await tabTo(page, button(page, PROMPTS.tour));
    await page.keyboard.press("Enter");

    const questions = card(page, CARDS.questions);
    await questions.waitFor();
    await page.keyboard.press("j");
    await expectFocus(questions);
    await page.keyboard.press("2");
    await questions.getByRole("radio", { name: "Plain list", checked: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("1");
    await questions.getByRole("checkbox", { name: "Unit tests", checked: true }).waitFor();
    await page.keyboard.press("5");
    const other = questions.getByRole("textbox", { name: "Other, in your own words" });
    await expectFocus(other);
    await page.keyboard.type("Ask Ada 1");
    expect(await other.inputValue()).toBe("Ask Ada 1");
    await page.keyboard.press("Enter");
    await questions.getByText("“Ask Ada 1”").waitFor();
    await expectFocus(questions);
    await page.keyboard.press("Enter");
    await expectFocus(card(page, "Submitted"));

    const notes = card(page, CARDS.notes);
    await notes.waitFor();
    await page.keyboard.press("j");
    await expectFocus(notes);
    await expectReady(button(notes, "Allow once"));
    await page.keyboard.press("a");

    const checklist = card(page, CARDS.checklist);
    await checklist.waitFor();
    await page.keyboard.press("j");
    await expectFocus(checklist);
    await tabTo(page, button(checklist, "Allow once"));
    await expectReady(button(checklist, "Allow once"));
    await page.keyboard.press("Enter");
    await conversation(page).getByText("That was everything").waitFor();

    await button(page, "Stop").waitFor({ state: "detached" });
    await tabTo(page, composer(page));
    await page.keyboard.type("Thank you");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and goodbye");
    await page.keyboard.press("Enter");
    await conversation(page).getByText("You: Thank you and goodbye").waitFor();
  });

  test("arrows choose among options, and J and K go round the cards that wait", async ({
    gateway,
    openDevice,
  }) => {
    const { page } = await openDemo(openDevice, gateway, PROMPTS.threeThings);
    const questions = card(page, CARDS.questions);
    const visits = card(page, CARDS.visits);
    await visits.waitFor({ state: "attached" });
    await page.keyboard.press("j");
    await expectFocus(questions);
    await tabTo(page, questions.getByRole("radio", { name: "Headline" }));
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await questions.getByRole("radio", { name: "Plain list", checked: true }).waitFor();
    await questions.getByRole("figure", { name: "Preview · Plain list" }).waitFor();
    await page.keyboard.press("j");
    await expectFocus(card(page, CARDS.checklist));
    await page.keyboard.press("j");
    await expectFocus(visits);
    await page.keyboard.press("k");
    await expectFocus(card(page, CARDS.checklist));
  });

  test("J leads to the session that has waited longest when nothing waits here", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await page.getByRole("button", { name: "Inbox, 1 waiting" }).waitFor();
    await page.keyboard.press("j");
    await expectFocus(card(page, CARDS.checklist));
    expect(page.url()).toContain(sessionId);
  });
});
