import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { expectAccessible, expectReflow } from "./support/accessible.ts";
import {
  button,
  card,
  CARDS,
  conversation,
  endTour,
  expectReady,
  fillQuestions,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { openScriptedGateway } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

type Look = (page: Page, where: string) => Promise<void>;

/** Shows each surface and each state of the cards, and looks at it. */
async function visit(device: Device, gateway: { url: string }, look: Look): Promise<void> {
  const { page, screen } = device;
  const tab = async (name: string): Promise<void> => {
    const views = page.getByRole("navigation", { name: "Views" });
    if (screen === "phone") await device.press(views.getByRole("button", { name }));
  };
  await device.open();
  await button(page, PROMPTS.tour).waitFor();
  await look(page, "home");
  await tab("Sessions");
  await device.press(button(page, "New session"));
  await page.getByRole("dialog", { name: "New session" }).getByRole("combobox").first().waitFor();
  await look(page, "new session");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await look(page, "keys");
  await page.keyboard.press("Escape");

  const api = new Api(gateway.url);
  const { sessionId: emptyId } = await api.createSession({ agent: "demo" });
  await device.open(`/s/${emptyId}`);
  await button(page, PROMPTS.tour).waitFor();
  await look(page, "empty session");

  const sessionId = await startDemo(gateway, PROMPTS.tour);
  await device.open(`/s/${sessionId}`);
  const questions = card(page, CARDS.questions);
  await questions.getByRole("heading", { name: "Answer your agents from anywhere" }).waitFor();
  await look(page, "question");
  await fillQuestions(device, questions);
  await look(page, "review of answers");
  await device.press(button(questions, "Submit"));

  const notes = card(page, CARDS.notes);
  await expectReady(button(notes, "Allow once"));
  await look(page, "approval after an answered question");
  await device.press(button(notes, "Edit"));
  await notes.getByRole("textbox", { name: "New file content" }).waitFor();
  await look(page, "edit of an approval");
  await device.press(button(notes, "Discard"));
  await expectReady(button(notes, "Allow once"));
  await device.press(button(notes, "Deny with a reason, or stop the turn"));
  await notes.getByRole("textbox", { name: /Why not\?/ }).waitFor();
  await look(page, "denial with a reason");
  await device.press(button(notes, "Deny"));
  const checklist = card(page, CARDS.checklist);
  await expectReady(button(checklist, "Allow once"));

  await tab("Inbox");
  const inbox = page.getByRole("complementary", { name: "Inbox" });
  if (!(await inbox.isVisible())) await page.getByRole("button", { name: /^Inbox/ }).click();
  await device.press(inbox.getByRole("button", { name: new RegExp(CARDS.checklist) }));
  await expectReady(button(inbox, "Allow once"));
  await look(page, "inbox");

  const { interactionId } = await pending(api, sessionId);
  await device.open(`/i/${interactionId}`);
  await expectReady(button(page, "Allow once"));
  await look(page, "single card");
  await device.press(button(page, "Allow once"));
  await page.getByRole("article", { name: "Submitted" }).waitFor();
  await look(page, "single card, answered");

  await device.open(`/s/${sessionId}`);
  await endTour(device);
  await button(page, "Stop").waitFor({ state: "detached" });
  await look(page, "end of the tour");
  await tab("Sessions");
  if (screen === "desktop") await page.getByRole("link", { name: PROMPTS.tour }).hover();
  await device.press(button(page, `Actions for ${PROMPTS.tour}`));
  await page.getByRole("menuitem", { name: "Delete" }).waitFor();
  await look(page, "actions of a session");
  await device.press(page.getByRole("menuitem", { name: "Delete" }));
  await page.getByRole("dialog", { name: "Delete this session?" }).waitFor();
  await look(page, "deletion");
  // The page may request the session once more before it learns of the deletion.
  device.allowProblem(new RegExp(`status of 404.*/api/sessions/${sessionId}\\)$`));
  await device.press(button(page, "Delete for good"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describe("Accessibility", () => {
  test.for(mainlyOn("phone"))(
    "axe finds nothing on any surface, in light and in dark, on a %s",
    async (screen, { startGateway, openDevice }) => {
      const gateway = await startGateway();
      const device = await openDevice(gateway, { screen });
      const look: Look = async (page, where) => {
        await expectAccessible(page, where);
        if (screen === "phone") await expectReflow(page, where);
      };
      await visit(device, gateway, look);
      await device.page.evaluate(() => localStorage.setItem("holdpoint.interaction", "off"));
      await device.open(`/s/${await startDemo(gateway, PROMPTS.edit)}`);
      await device.page.getByText("Answering is off on this device.", { exact: true }).waitFor();
      await look(device.page, "read-only card");
      const stranger = await openDevice(gateway, { screen, signedIn: false });
      await stranger.open();
      await stranger.page.getByRole("heading", { name: "Open the launch link" }).waitFor();
      await look(stranger.page, "signed out");
    },
  );

  test("nothing moves, and no colour fades, for people who want less motion", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(
      await openScriptedGateway(async (_message, context) => {
        const call = { toolCallId: "call_1", toolName: "Bash", input: { command: "sleep 60" } };
        await context.emit({ type: "tool_call", ...call });
        context.delta({ type: "text_delta", messageId: "m1", channel: "text", text: "I am" });
        await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
        return { reason: "stopped" };
      }),
    );
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open(`/s/${await gateway.start()}`);
    await page.getByText("Working…").waitFor();
    await conversation(page).getByText("I am").waitFor();
    expect(await page.evaluate(findMoving)).toEqual([]);
    await device.press(button(page, "Stop"));
    await conversation(page).getByText("Stopped.").waitFor();
  });
});

function findMoving(): string[] {
  return [...document.querySelectorAll("*")].flatMap((element) =>
    ["", "::before", "::after"].flatMap((part) => {
      const { animationName, transitionDuration } = getComputedStyle(element, part);
      const isStill = animationName === "none" && /^0s(?:, 0s)*$/.test(transitionDuration);
      return isStill ? [] : [`${element.className}${part} ${animationName} ${transitionDuration}`];
    }),
  );
}
