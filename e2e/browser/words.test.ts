import type { HoldRequest } from "@holdpoint/engine";
import type { TurnScript } from "@holdpoint/engine/testing";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { button, card, composer, conversation, expectReady } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { mainlyOn, test } from "./support/test.ts";

const run = (command: string, more: object = {}): HoldRequest => ({
  kind: "approval",
  toolCallId: `call_${command}`,
  toolName: "Bash",
  input: { command },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: true,
  ...more,
});

const line = (count: number) => Array.from({ length: count }, (_, at) => `- line ${at}`).join("\n");

/** Options with previews of different heights; the middle one has none. */
const styles: HoldRequest = {
  kind: "question",
  toolCallId: "call_style",
  toolName: "AskUserQuestion",
  prompt: "Which style?",
  questions: [
    {
      id: "style",
      header: "Style",
      question: "Which style?",
      multiSelect: false,
      options: [
        { id: "a", label: "Short", preview: { format: "markdown", content: line(1) } },
        { id: "b", label: "Without a preview" },
        { id: "c", label: "Middle", preview: { format: "markdown", content: line(6) } },
        { id: "d", label: "Long", preview: { format: "markdown", content: line(40) } },
      ],
    },
  ],
};

async function heightOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.height ?? 0;
}

describe("A card", () => {
  test("never moves under a resting or wandering mouse, and previews only the focused option", async ({
    owned,
    openDevice,
  }) => {
    const texts = Array.from({ length: 12 }, (_, at) => `Paragraph ${at}\n\n${line(6)}`);
    const gateway = owned.use(await openScriptedGateway(sayAndAsk(texts, [styles])));
    const { page, ...device } = await openDevice(gateway);
    await page.setViewportSize({ width: 1440, height: 620 });
    await device.open(`/s/${await gateway.start()}`);
    const asked = card(page, "Which style?");
    const options = asked.getByRole("radio");
    await options.first().waitFor();
    const caption = asked.locator("figcaption");
    const before = await caption.innerText();
    // Rows are measured after they are drawn.
    await page.waitForTimeout(1000);
    const place = await asked.boundingBox();
    for (const label of ["Long", "Short", "Middle", "Without a preview", "Long"]) {
      await asked.getByText(label, { exact: true }).first().hover();
      await page.waitForTimeout(120);
      expect(await asked.boundingBox()).toEqual(place);
      expect(await caption.innerText()).toBe(before);
    }
    await asked.getByRole("radio", { name: "Short" }).focus();
    const height = await heightOf(asked);
    for (const label of ["Long", "Middle", "Without a preview", "Short"]) {
      await asked.getByRole("radio", { name: label }).focus();
      await expect.poll(() => caption.innerText()).toContain(label);
      expect(await heightOf(asked)).toBe(height);
    }
  });
});

/** Runs in the page: whether both ends of an element are visible. */
function isWholeInSight(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [
    [left + 4, top + 4],
    [right - 4, bottom - 4],
  ].every(([x = 0, y = 0]) => {
    const there = document.elementFromPoint(x, y);
    return there !== null && (element.contains(there) || there.contains(element));
  });
}

/** Runs in the page. */
function linesOf(element: Element): number {
  return Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight));
}

/** A command with a reason, which may be allowed for longer. */
const removal = run("rm -rf build", {
  cwd: "/home/maria/src/billing",
  display: { description: "Empties the folder", reason: "It is not on the allow list" },
  scopes: ["once", "session", "always"],
  scopeText: {
    session: `Only the command “rm -rf build”. Until this session ends, in /home/maria/src/billing. ${"And more. ".repeat(20)}`,
    always: "Only the command “rm -rf build”. In every session, in /home/maria/src/billing.",
  },
});

/** Expects everything needed for a decision in view without scrolling; longer scopes are behind one button. */
async function expectDecidable(page: Page, asked: Locator): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const words = ["rm -rf build", "Empties the folder", "It is not on the allow list"];
  const names = ["Deny", "Edit", "Allow once", "Allow for longer"];
  for (const one of [
    ...words.map((text) => asked.getByText(text).last()),
    ...names.map((name) => button(asked, name)),
  ]) {
    await expect.poll(() => one.evaluate(isWholeInSight), { message: String(one) }).toBe(true);
  }
  await takePicture(page, "command phone");
  await button(asked, "Allow for longer").click();
  const covered = asked.locator(".hp-scope-text");
  await expect.poll(() => covered.count()).toBe(2);
  for (const one of await covered.all()) expect(await one.evaluate(linesOf)).toBeLessThan(3);
  await button(asked, "Show all").first().waitFor();
  await button(asked, "Allow for longer").click();
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe("A command", () => {
  test("is decided on a phone without scrolling, and its line names the command that really ran, even if a person changed it", async ({
    owned,
    openDevice,
  }) => {
    const gateway = owned.use(await openScriptedGateway(sayAndAsk(["I run it."], [removal])));
    const { page, ...device } = await openDevice(gateway);
    await device.open(`/s/${await gateway.start()}`);
    const asked = conversation(page).getByRole("article");
    await expectDecidable(page, asked);
    await device.press(button(asked, "Edit"));
    await asked.getByRole("textbox", { name: "New command" }).fill("ls build");
    await expectReady(button(asked, "Allow edited"));
    await device.press(button(asked, "Allow edited"));
    const line = conversation(page).locator(".hp-tool-line");
    await expect.poll(() => line.innerText()).toContain("Ran");
    expect(await line.innerText()).toContain("ls build");
    expect(await line.innerText()).not.toContain("rm -rf");
  });
});

describe("Stop", () => {
  test("returns queued messages to the composer, in order and before the typed text", async ({
    owned,
    openDevice,
  }) => {
    const told: string[] = [];
    const script: TurnScript = async (message, context) => {
      told.push(message.content);
      return sayAndAsk([], [run("npm run build")])(message, context);
    };
    const gateway = owned.use(await openScriptedGateway(script));
    const sessionId = await gateway.start("Begin");
    const api = new Api(gateway.url);
    await pending(api, sessionId);
    const { page, ...device } = await openDevice(gateway);
    await device.open(`/s/${sessionId}`);
    for (const text of ["First thought", "Second thought"]) await api.send(sessionId, text, true);
    const queue = page.getByRole("region", { name: "Queued messages" });
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(2);
    await composer(page).fill("half a sent");
    await device.press(button(page, "Stop"));
    await expect
      .poll(() => composer(page).inputValue())
      .toBe("First thought\nSecond thought\nhalf a sent");
    await until(async () => (await api.session(sessionId)).status === "idle", "the end");
    await page.waitForTimeout(300);
    expect(told).toEqual(["Begin"]);
    expect(await queue.count()).toBe(0);
  });
});

const language: HoldRequest = {
  kind: "form",
  toolCallId: "call_ask",
  toolName: "ask_user",
  presentation: "questionnaire",
  prompt: "Preferred language?",
  form: {
    schema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", multiline: false } },
      required: ["answer"],
    },
  },
};

describe("ask_user", () => {
  test.for(mainlyOn("phone"))(
    "is answered from the composer, and shows the answer on every device, on a %s",
    async (screen, { owned, openDevice }) => {
      const gateway = owned.use(await openScriptedGateway(sayAndAsk(["I ask."], [language])));
      const sessionId = await gateway.start();
      const other = await openDevice(gateway);
      await other.open(`/s/${sessionId}`);
      await card(other.page, "Preferred language?").waitFor();
      const { page, ...device } = await openDevice(gateway, { screen });
      await device.open(`/s/${sessionId}`);
      await card(page, "Preferred language?").waitFor();
      await composer(page).fill("German");
      await device.press(button(page, "Send as answer"));
      const answered = card(page, "Submitted");
      await expect.poll(() => answered.innerText()).toContain("German");
      const loser = card(other.page, "Answered on another device");
      await expect.poll(() => loser.innerText()).toContain("German");
      expect(await loser.innerText()).toContain("Preferred language?");
    },
  );
});

describe("A plan", () => {
  test.for(mainlyOn("desktop"))(
    "is shown as it was written, edited as text, and approved or sent back on a %s",
    async (screen, { owned, openDevice }) => {
      const plan = "# Move the dates\n\n1. Edit `due-date.ts`\n2. Run **all** tests\n";
      const ask = run("", { toolName: "ExitPlanMode", input: { plan }, toolCallId: "call_plan" });
      const gateway = owned.use(await openScriptedGateway(sayAndAsk(["My plan:"], [ask])));
      const { page, ...device } = await openDevice(gateway, { screen });
      const first = await gateway.start();
      await device.open(`/s/${first}`);
      const asked = card(page, "Approve this plan?");
      await asked.getByRole("heading", { name: "Move the dates" }).waitFor();
      expect(await asked.innerText()).not.toContain("\\n");
      await takePicture(page, `plan ${screen}`);
      await device.press(button(asked, "Edit"));
      const editor = asked.getByRole("textbox", { name: "New plan" });
      expect(await editor.inputValue()).toBe(plan);
      await device.press(button(asked, "Discard"));
      await expectReady(button(asked, "Approve plan"));
      await device.press(button(asked, "Approve plan"));
      await card(page, "Submitted").waitFor();

      const second = await gateway.start();
      await device.open(`/s/${second}`);
      await device.press(button(asked, "Ask for changes"));
      await asked.getByRole("textbox", { name: /What should change/ }).fill("Tests first");
      await device.press(button(asked, "Send back"));
      await expect.poll(() => card(page, "Submitted").innerText()).toContain("Tests first");
      const [answered] = await new Api(gateway.url).interactions(second, "delivered");
      expect(answered?.response).toMatchObject({ action: "deny", reason: "Tests first" });
    },
  );
});
