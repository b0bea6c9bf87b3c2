import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import type { Device } from "../support/browser.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import { button, card, composer, conversation, expectReady } from "./support/conversation.ts";
import { openEmbeddingPage } from "./support/embedding-page.ts";
import { test as base, mainlyOn } from "./support/test.ts";

const PROMPT = "Make it fit its reader";
const QUESTION = "Before I rewrite it";
const FOR_A_FRIEND =
  "Hi Ana,\n\nyour order leaves on Friday and is with you on Monday.\n\nAll the best\nTheo\n";

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
const test = base
  .extend("app", { scope: "file" }, async ({}, { onCleanup }) => {
    const app = await openEmbeddingPage("in-process");
    onCleanup(() => app[Symbol.asyncDispose]());
    await app.build();
    return app;
  })
  .extend(
    "openApp",
    async ({ app, openDevice }) =>
      async (options: Parameters<typeof openDevice>[1] = {}): Promise<Device> => {
        const device = await openDevice(app, { ...options, signedIn: false });
        await device.open();
        await button(device.page, PROMPT).waitFor();
        return device;
      },
  );
/* oxlint-enable no-empty-pattern */

function letter(page: Page): Promise<string> {
  return page.getByRole("textbox", { name: "Letter" }).inputValue();
}

/** Answers the question, so that the approval becomes pending. */
async function chooseFriend(device: Device): Promise<void> {
  await device.press(button(device.page, PROMPT));
  const question = card(device.page, QUESTION);
  await device.press(question.getByRole("radio", { name: "A friend" }));
  await device.press(button(question, "Submit"));
}

describe("An app with the gateway inside", () => {
  test.for(mainlyOn("phone"))(
    "asks, is allowed and does exactly what was shown, without any server, on a %s",
    async (screen, { app, openApp }) => {
      const device = await openApp({ screen });
      const { page } = device;
      const asked: string[] = [];
      device.context.on("request", (request) => asked.push(request.url()));
      const before = await letter(page);
      await chooseFriend(device);
      const approval = card(page, "Rewrite it for a friend");
      await expectReady(button(approval, "Allow once"));
      expect(await letter(page)).toBe(before);
      await device.press(button(approval, "Allow once"));
      await conversation(page).getByText("The letter is rewritten.").waitFor();
      expect(await letter(page)).toBe(FOR_A_FRIEND);
      // Parts of the app that are loaded on demand.
      expect(asked.filter((url) => !url.startsWith(`${app.url}/assets/`))).toEqual([]);
    },
  );

  test("[R-6] writes the person's edit, and not what the agent proposed", async ({ openApp }) => {
    const device = await openApp();
    const { page } = device;
    await chooseFriend(device);
    const approval = card(page, "Rewrite it for a friend");
    await device.press(button(approval, "Edit"));
    const editor = approval.getByRole("textbox", { name: "New text" });
    await editor.fill("Hi Ana, it is on its way. Theo");
    await expectReady(button(approval, "Allow edited"));
    await device.press(button(approval, "Allow edited"));
    await conversation(page).getByText("The letter is rewritten.").waitFor();
    expect(await letter(page)).toBe("Hi Ana, it is on its way. Theo");
  });

  test("[R-5] changes nothing when it is denied with the keyboard, or stopped", async ({
    openApp,
  }) => {
    const device = await openApp();
    const { page } = device;
    const before = await letter(page);
    await chooseFriend(device);
    const approval = card(page, "Rewrite it for a friend");
    await approval.focus();
    await page.keyboard.press("d");
    await page.keyboard.press("Enter");
    await conversation(page).getByText("The letter stays as it was.").waitFor();
    await composer(page).fill("Again");
    await page.keyboard.press("Enter");
    await card(page, QUESTION).waitFor();
    await device.press(button(page, "Stop"));
    await card(page, QUESTION).waitFor({ state: "detached" });
    expect(await letter(page)).toBe(before);
  });

  test.for(mainlyOn("desktop"))(
    "has no accessibility fault that axe finds, on a %s",
    async (screen, { openApp }) => {
      const device = await openApp({ screen });
      await chooseFriend(device);
      await expectReady(button(card(device.page, "Rewrite it for a friend"), "Allow once"));
      await expectAccessible(device.page, "an approval");
      await expectReflow(device.page, "an approval");
    },
  );
});
