import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import {
  button,
  card,
  CARDS,
  conversation,
  endTour,
  expectReady,
  fillQuestions,
  heard,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { test, mainlyOn } from "./support/test.ts";

/** High enough to draw every row, so that comparisons do not depend on the scroll position. */
const TALL = 4000;

async function makeTall(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 1280 };
  await page.setViewportSize({ width, height: TALL });
}

async function expectSameAfterReload(device: Device): Promise<void> {
  const log = conversation(device.page);
  const before = await heard(log);
  await device.page.reload();
  await expect.poll(() => heard(log)).toBe(before);
}

describe("[R-10] A reload", () => {
  test.for(mainlyOn("phone"))(
    "shows the same conversation at every state on a %s",
    async (screen, { gateway, openDevice }) => {
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      await makeTall(page);
      const sessionId = await startDemo(gateway, PROMPTS.tour);
      await device.open(`/s/${sessionId}`);

      const questions = card(page, CARDS.questions);
      // Markdown is drawn as plain text until its renderer has loaded.
      await conversation(page).getByText("two questions on one card", { exact: true }).waitFor();
      await questions.getByRole("heading", { name: "Answer your agents from anywhere" }).waitFor();
      await expectSameAfterReload(device);
      await device.press(questions.getByRole("radio", { name: "Plain list" }));
      await device.press(button(questions, "Next"));
      await device.press(questions.getByRole("checkbox", { name: "Accessibility" }));
      const other = questions.getByRole("textbox", { name: "Other, in your own words" });
      await other.fill("Ask A");
      await expectSameAfterReload(device);
      expect(await other.inputValue()).toBe("Ask A");
      expect(await questions.getByRole("checkbox", { name: "Accessibility" }).isChecked()).toBe(
        true,
      );

      await device.press(button(questions, "Next"));
      await expectReady(button(questions, "Submit"));
      await expectSameAfterReload(device);
      await device.press(button(questions, "Submit"));
      const notes = card(page, CARDS.notes);
      await expectReady(button(notes, "Allow once"));
      await expectSameAfterReload(device);

      await device.press(button(notes, "Deny with a reason, or stop the turn"));
      await notes.getByRole("textbox", { name: /Why not\?/ }).fill("Too early");
      await page.reload();
      await device.press(button(notes, "Deny with a reason, or stop the turn"));
      expect(await notes.getByRole("textbox", { name: /Why not\?/ }).inputValue()).toBe(
        "Too early",
      );
      await device.press(button(notes, "Deny"));
      const checklist = card(page, CARDS.checklist);
      await expectReady(button(checklist, "Allow once"));
      await expectSameAfterReload(device);

      await device.press(button(checklist, "Edit"));
      const editor = checklist.getByRole("textbox", { name: "New replacement text" });
      await editor.fill((await editor.inputValue()).replace("ticked by", "looked at by"));
      await expectReady(button(checklist, "Allow edited"));
      await expectSameAfterReload(device);
      await device.press(button(checklist, "Allow edited"));
      await endTour(device);
      await button(page, "Stop").waitFor({ state: "detached" });
      await expectSameAfterReload(device);
    },
  );

  test("while text streams continues with the same text and ends as on a device that stayed", async ({
    gateway,
    openDevice,
  }) => {
    const stayed = await openDevice(gateway);
    const reloaded = await openDevice(gateway);
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo" });
    for (const { page } of [stayed, reloaded]) await makeTall(page);
    for (const device of [stayed, reloaded]) await device.open(`/s/${sessionId}`);
    for (const { page } of [stayed, reloaded]) await button(page, PROMPTS.tour).waitFor();
    await api.send(sessionId, "Tell me what you can do");

    const log = conversation(reloaded.page);
    await log.getByText("scripted demo agent").waitFor();
    const seen = await log.innerText();
    await reloaded.page.reload();
    await log.getByText("I am a").waitFor();
    const words = (text: string): string[] => text.match(/\w+/g) ?? [];
    const after = words(await log.innerText());
    expect(after.slice(0, words(seen).length)).toEqual(words(seen));

    await until(async () => (await api.session(sessionId)).status === "idle", "the end");
    for (const { page } of [stayed, reloaded]) {
      await conversation(page).getByText("answer from another device").waitFor();
      await button(page, "Stop").waitFor({ state: "detached" });
    }
    expect(await heard(log)).toBe(await heard(conversation(stayed.page)));
  });

  test.for(mainlyOn("desktop"))(
    "while an answer is on its way keeps the draft, which can be sent again on a %s",
    async (screen, { gateway, openDevice }) => {
      const device = await openDevice(gateway, { screen });
      const { page, context } = device;
      device.allowProblem(/net::ERR_/);
      const sessionId = await startDemo(gateway, PROMPTS.questions);
      await device.open(`/s/${sessionId}`);
      const questions = card(page, CARDS.questions);
      await fillQuestions(device, questions);
      await context.route("**/response", () => undefined);
      await device.press(button(questions, "Submit"));
      await questions.getByText("Sending…").waitFor();
      await page.reload();
      await context.unrouteAll();
      await questions.getByText("“Ask Ada”").waitFor();
      await device.press(button(questions, "Submit"));
      await card(page, "Submitted").getByText("Delivered to the agent").waitFor();
      expect(await new Api(gateway.url).interactions(sessionId, "delivered")).toMatchObject([
        {
          response: {
            answers: [
              { questionId: "style", selected: ["list"] },
              { questionId: "checks", selected: ["unit"], other: "Ask Ada" },
            ],
          },
        },
      ]);
    },
  );

  test("while the acknowledgement is on its way shows the accepted answer", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page, context } = device;
    device.allowProblem(/net::ERR_/);
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    const { interactionId } = await pending(new Api(gateway.url), sessionId);
    await device.open(`/s/${sessionId}`);
    let taken = 0;
    await context.route("**/response", async (route) => {
      taken = (await route.fetch()).status();
      await route.abort();
    });
    await device.press(button(card(page, CARDS.checklist), "Allow once"));
    await expect.poll(() => taken).toBe(200);
    await page.reload();
    const settled = card(page, "Submitted");
    await settled.getByText("Allowed once").waitFor();
    await settled.getByText("you, on this device").waitFor();
    expect(await new Api(gateway.url).interaction(interactionId)).toMatchObject({
      response: { action: "approve", approvalScope: "once" },
    });
  });
});
