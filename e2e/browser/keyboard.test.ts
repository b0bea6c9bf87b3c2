import { readFile } from "node:fs/promises";

import type { HoldRequest } from "@holdpoint/engine";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
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
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test } from "./support/test.ts";

/** Presses Tab until the element has the focus; fails when it cannot be reached. */
async function tabTo(page: Page, element: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  expect.fail("It cannot be reached with the keyboard.");
}

/** Filters the history of ten answers, three of which are not approvals, and returns to the previous page. */
async function filterHistory(page: Page): Promise<void> {
  const entries = page.locator(".history-entry");
  const search = (): string => decodeURIComponent(new URL(page.url()).search);
  const expectFound = async (count: number, filter: string): Promise<void> => {
    await expect.poll(() => entries.count()).toBe(count);
    await expect.poll(search).toBe(filter);
  };
  await expectFound(1, "?words=deploy+3");
  await tabTo(page, page.getByRole("searchbox", { name: "Search the history" }), "Shift+Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await expectFound(10, "");
  await tabTo(page, page.getByRole("combobox", { name: "Answer" }));
  await page.keyboard.type("Answered");
  await expectFound(3, "?action=submit");
  await page.reload();
  await expectFound(3, "?action=submit");
  await tabTo(page, page.getByRole("combobox", { name: "Tool" }));
  await page.keyboard.type("name_it");
  await expectFound(1, "?tool=name_it&action=submit");
  await page.goBack();
  await expectFound(3, "?action=submit");
  await takePicture(page, "history, filtered");
  await tabTo(page, button(page, "Export as JSON Lines"));
  const saving = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^holdpoint-history-\d{4}-\d{2}-\d{2}\.jsonl$/);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  const answers = lines.map((line) => (JSON.parse(line) as { readonly answer: string }).answer);
  expect(answers).toEqual(["Blue", "Ada", "Blue"]);
  await page.goBack();
  await expectFound(10, "");
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
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Next pending request").waitFor();
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
    await expectReady(button(questions, "Submit"));
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

    for (const title of [CARDS.announcement, CARDS.release]) {
      const form = card(page, title);
      await form.waitFor();
      await page.keyboard.press("j");
      await expectFocus(form);
      await tabTo(page, form.getByRole("radio").first());
      await page.keyboard.press("Space");
      await form.getByRole("radio", { checked: true }).waitFor();
      await expectReady(button(form, "Submit"));
      await tabTo(page, button(form, "Submit"));
      await page.keyboard.press("Enter");
    }
    await conversation(page).getByText("That was everything").waitFor();

    await button(page, "Stop").waitFor({ state: "detached" });
    await tabTo(page, composer(page));
    await page.keyboard.type("Thank you");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and goodbye");
    await page.keyboard.press("Enter");
    await conversation(page).getByText("You: Thank you and goodbye").waitFor();
  });

  test("arrows choose among options, and J and K cycle through the pending cards", async ({
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

  test("J leads to the session that has waited longest when nothing is pending here", async ({
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

  test("ten requests in ten sessions are decided with at most three keys each, and one is undone, snoozed and found again", async ({
    owned,
    openDevice,
    annotate,
  }) => {
    const approval = (command: string): HoldRequest => ({
      kind: "approval",
      toolCallId: "call",
      toolName: "Bash",
      input: { command },
      display: {},
      scopes: ["once"],
      scopeText: {},
      editable: false,
    });
    const question: HoldRequest = {
      kind: "question",
      toolCallId: "call",
      toolName: "AskUserQuestion",
      questions: [
        {
          id: "q1",
          header: "Color",
          question: "Which color?",
          multiSelect: false,
          options: [
            { id: "r", label: "Red" },
            { id: "b", label: "Blue" },
          ],
        },
      ],
    };
    const form: HoldRequest = {
      kind: "form",
      toolCallId: "call",
      toolName: "name_it",
      form: {
        schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    };
    const gateway = owned.use(
      await openScriptedGateway(
        async (message, context) => {
          const { content } = message;
          const request =
            content === "color" ? question : content === "name" ? form : approval(content);
          const texts = Array.from({ length: content === "deploy 0" ? 300 : 1 }, (_, index) =>
            index === 7 ? "Here is the needle." : `Step ${index}`,
          );
          return sayAndAsk(texts, [request])(message, context);
        },
        { parkAfterMs: 0 },
      ),
    );
    const api = new Api(gateway.url);
    const asks = [
      "deploy 0",
      "color",
      "deploy 1",
      "deploy 2",
      "name",
      "deploy 3",
      "deploy 4",
      "color",
      "deploy 5",
      "deploy 6",
    ];
    const sessions: string[] = [];
    for (const ask of asks) {
      const sessionId = await gateway.start(ask);
      await pending(api, sessionId);
      sessions.push(sessionId);
    }
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await expect.poll(() => page.title()).toMatch(/^\(10\) /);
    let keys = 0;
    const press = async (...pressed: readonly string[]): Promise<void> => {
      for (const key of pressed) {
        keys += 1;
        await page.keyboard.press(key);
      }
    };
    const keysOfApprovals: number[] = [];
    for (const [index, ask] of asks.entries()) {
      keys = 0;
      await press("j");
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${sessions[index]}`);
      const asked = conversation(page).getByRole("article").first();
      await expectFocus(asked);
      if (ask === "color") await press("2", "Enter");
      else if (ask === "name") {
        await tabTo(page, asked.getByRole("textbox"));
        await page.keyboard.type("Ada");
        await press("Enter");
      } else {
        await expectReady(button(asked, "Allow once"));
        await press("a");
        keysOfApprovals.push(keys);
      }
      await expect.poll(() => page.title()).toMatch(index === 9 ? /Holdpoint/ : `(${9 - index}) `);
      if (index !== 3) continue;
      // Denied by mistake and undone before the agent got it.
      await page
        .getByText(/Sending to the agent in \d s\./)
        .first()
        .waitFor();
      await press("z");
      await expect.poll(() => page.title()).toMatch(/^\(7\) /);
      await expectReady(button(asked, "Allow once"));
      await asked.focus();
      await press("a");
      await expect.poll(() => page.title()).toMatch(/^\(6\) /);
    }
    expect(keysOfApprovals).toHaveLength(7);
    expect(Math.max(...keysOfApprovals)).toBeLessThanOrEqual(3);
    await annotate(`${keysOfApprovals.join(", ")} keys for 7 approvals over 10 sessions`, "keys");

    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    await expectFocus(palette.getByRole("combobox"));
    await takePicture(page, "palette");
    await page.keyboard.type("histo");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "History" }).waitFor();
    await expectFocus(page.getByRole("main"));
    await tabTo(page, page.getByRole("searchbox", { name: "Search the history" }));
    await page.keyboard.type("deploy 3");
    const row = page.getByRole("button", { name: /^Run deploy 3/ });
    await row.waitFor();
    await expect.poll(() => page.locator(".history-entry").count()).toBe(1);
    await tabTo(page, row);
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Submitted" }).waitFor();
    await takePicture(page, "history");
    await filterHistory(page);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${sessions[9]}`);

    await page.keyboard.press("Control+k");
    await expectFocus(palette.getByRole("combobox"));
    await page.keyboard.type("deploy 0");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${sessions[0]}`);
    await conversation(page).getByText("Step 299", { exact: true }).waitFor();
    await page.keyboard.press("Control+f");
    await expectFocus(page.getByRole("textbox", { name: "Find in this session" }));
    await page.keyboard.type("needle");
    await expectInView(conversation(page).getByText("Here is the needle."));
    await takePicture(page, "find");
    await page.keyboard.press("Escape");

    const again = await gateway.start("deploy again");
    await pending(api, again);
    const inbox = page.getByRole("complementary", { name: "Inbox" });
    await tabTo(page, inbox.getByRole("button", { name: /deploy again/ }));
    await page.keyboard.press("Enter");
    await tabTo(page, button(inbox, "15 min"));
    await page.keyboard.press("Enter");
    await inbox.getByText("Snoozed (1)").waitFor();
    await takePicture(page, "snoozed");
    await inbox.getByText("No other pending requests.").waitFor();
    const other = await openDevice(gateway);
    await other.open();
    await other.page.getByText("Snoozed (1)").waitFor();
    expect(await page.title()).not.toMatch(/^\(/);
  });
});
