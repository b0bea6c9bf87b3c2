import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

import { Api } from "../../support/api.ts";
import type { Device } from "../../support/browser.ts";
import type { DevicePlace, OpenDevice, OpenOptions } from "./test.ts";

/** Messages that the demo agent understands. */
export const PROMPTS = {
  tour: "Walk me through everything",
  questions: "Ask me two questions",
  edit: "Edit a file with my approval",
  threeThings: "Ask me three things at once",
  threeEdits: "Edit three files at once",
} as const;

/** Names of the demo agent's cards. */
export const CARDS = {
  questions: "Before I write the release notes",
  notes: "Write release-notes.md",
  checklist: "Edit checklist.md",
  visits: "Write visits.md",
  announcement: "Announce the release",
  release: "Which release should I name in the notes?",
} as const;

export function conversation(page: Page): Locator {
  return page.getByRole("log", { name: "Conversation" });
}

/** A card in the conversation, by its title or, once it is settled, by its outcome. */
export function card(page: Page, name: string): Locator {
  return conversation(page).getByRole("article", { name });
}

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

/** Opens the longer scopes of a card, and returns their group. */
export async function openScopes(
  device: Device,
  scope: Locator,
  name = "Allow for longer",
): Promise<Locator> {
  await device.press(button(scope, name));
  return scope.getByRole("group", { name });
}

/** An element by role and name within a card; a card has each once. */
export function button(scope: Locator | Page, name: string): Locator {
  return scope.getByRole("button", { name, exact: true });
}

/** Starts a session with the demo agent, with this message. */
export async function startDemo(gateway: { url: string }, prompt: string): Promise<string> {
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, prompt);
  return sessionId;
}

interface DemoPage {
  readonly device: Device;
  readonly page: Page;
  readonly sessionId: string;
}

/** Opens a device that shows such a session. */
export async function openDemo(
  openDevice: OpenDevice,
  gateway: DevicePlace,
  prompt: string,
  options: OpenOptions = {},
): Promise<DemoPage> {
  const device = await openDevice(gateway, options);
  const sessionId = await startDemo(gateway, prompt);
  await device.open(`/s/${sessionId}`);
  return { device, page: device.page, sessionId };
}

/** Chooses "Plain list", and "Unit tests" with own words, and continues to the review. */
export async function fillQuestions(
  device: Device,
  scope: Locator,
  words = "Ask Ada",
): Promise<void> {
  await device.press(scope.getByRole("radio", { name: "Plain list" }));
  await device.press(button(scope, "Next"));
  await device.press(scope.getByRole("checkbox", { name: "Unit tests" }));
  await scope.getByRole("textbox", { name: "Other, in your own words" }).fill(words);
  await device.press(button(scope, "Next"));
}

/** Answers the last two cards of the tour: a form, and a question from a gateway tool. */
export async function endTour(device: Device): Promise<void> {
  const { page } = device;
  for (const [title, choice] of [
    [CARDS.announcement, "Blog"],
    [CARDS.release, "1.1"],
  ] as const) {
    const form = card(page, title);
    await expectInView(form);
    await device.press(form.getByRole("radio", { name: choice }));
    await expectReady(button(form, "Submit"));
    await device.press(button(form, "Submit"));
  }
  await conversation(page).getByText("That was everything").waitFor();
}

/** The texts a screen reader would find, without times. */
export async function heard(scope: Locator): Promise<string> {
  const snapshot = await scope.ariaSnapshot();
  return snapshot
    .replaceAll(/just now|\d+ (?:s|sec|min|h)(?:onds?|utes?)? ago/g, "RECENTLY")
    .replaceAll(/\d+ (?:s|sec|min)\w* left/g, "A WHILE LEFT");
}

/** Waits until the beginning of the element is visible without scrolling. */
export async function expectInView(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate(isBeginningVisible), { interval: 60 }).toBe(true);
}

function isBeginningVisible(element: Element): boolean {
  const { left, top } = element.getBoundingClientRect();
  const there = document.elementFromPoint(left + 24, top + 12);
  return there !== null && element.contains(there);
}

/** The button of a card that was not yet fully in view. */
export const SHOW_REST = "Show the rest first";
/** The button next to a scope's coverage when that is longer than two lines. */
const SHOW_SCOPE = "Show all";

/**
 * Waits until the button can be pressed; an approval's only after it has been still for a moment. Scrolls to the
 * unseen parts of its card, and opens a scope's coverage, as a person does.
 */
export async function expectReady(pressable: Locator): Promise<void> {
  const around = pressable.locator("xpath=ancestor::*[self::article or self::main][1]");
  const rest = button(around, SHOW_REST).or(button(around, SHOW_SCOPE)).first();
  await expect
    .poll(
      async () => {
        if (await pressable.isEnabled()) return true;
        if ((await rest.count()) > 0) await rest.click({ timeout: 1000 }).catch(() => undefined);
        return false;
      },
      { interval: 60 },
    )
    .toBe(true);
}

/** Waits until the element, or an element in it, has the focus. */
export async function expectFocus(element: Locator): Promise<void> {
  await expect
    .poll(() => element.evaluate((one) => one.contains(document.activeElement)), {
      timeout: 40_000,
      interval: 60,
    })
    .toBe(true);
}
