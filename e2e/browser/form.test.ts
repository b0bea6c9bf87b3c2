import type { HoldRequest } from "@holdpoint/engine";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api } from "../support/api.ts";
import { button, card, conversation, expectFocus, expectReady } from "./support/conversation.ts";
import { openScriptedGateway } from "./support/scripted-gateway.ts";
import { test, mainlyOn } from "./support/test.ts";

const SECRET = "k3y-of-the-bank";
const PROMPT = "Where shall the receipt go?";
const schema = {
  type: "object",
  required: ["email", "code", "key", "copy"],
  properties: {
    email: { type: "string", format: "email", title: "E-mail" },
    code: {
      type: "string",
      pattern: "^[A-Z]{2}-\\d+$",
      title: "Customer",
      description: "Like AB-12",
    },
    key: { type: "string", sensitive: true, title: "Key" },
    copy: { type: "boolean", title: "A copy for the records?" },
    notes: { type: "string", multiline: true, title: "Notes" },
  },
};

function ask(more: Partial<HoldRequest>, initialValues = {}): HoldRequest {
  return {
    kind: "form",
    toolCallId: "call_email",
    toolName: "collect_email",
    prompt: PROMPT,
    form: { schema, initialValues },
    completedView: { summaryTemplate: "Receipt to {email}, copy: {copy}, key {key}" },
    ...more,
  } as HoldRequest;
}

/** Asks twice: after any first answer, the customer is unknown. */
async function openGateway() {
  const told: unknown[] = [];
  const gateway = await openScriptedGateway(async (_message, context) => {
    const { signal } = context;
    const call = { toolCallId: "call_email", toolName: "collect_email", input: {} };
    await context.emit({ type: "tool_call", ...call });
    const first = await context.hold(ask({}), { signal });
    if (first.outcome !== "answered") return { reason: "stopped" };
    told.push(first.values);
    await first.delivered();
    const again = {
      previousId: first.interactionId,
      attempt: 2,
      error: "We do not know this customer.",
      fieldErrors: { code: "Nobody has this number" },
    };
    const second = await context.hold(ask(again, first.values), { signal });
    if (second.outcome !== "answered") return { reason: "stopped" };
    told.push(second.values);
    await second.delivered();
    const content = "The receipt is sent.";
    await context.emit({ type: "tool_result", toolCallId: "call_email", content, isError: false });
    return { reason: "done" };
  });
  return { gateway, told };
}

/** With the keyboard, on a screen lower than the form, a long field scrolls fully out from behind the actions. */
async function expectLongFieldInSight(page: Page, form: Locator): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: before.width, height: 480 });
  await form.getByRole("textbox", { name: "E-mail" }).focus();
  const notes = form.getByRole("textbox", { name: "Notes" });
  for (let presses = 0; presses < 12; presses += 1) {
    if (await notes.evaluate((field) => field === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expectFocus(notes);
  const bottomOf = (element: Element): number => element.getBoundingClientRect().bottom;
  const topOfActions = (): Promise<number> =>
    form.locator(".hp-card-actions").evaluate((element) => element.getBoundingClientRect().top);
  await expect
    .poll(async () => (await topOfActions()) - (await notes.evaluate(bottomOf)))
    .toBeGreaterThanOrEqual(0);
  await page.setViewportSize(before);
}

describe("A form", () => {
  test.for(mainlyOn("phone"))(
    "[R-11] [R-19] is corrected, asked again in the same place, and keeps its secret, on a %s",
    async (screen, { owned, openDevice }) => {
      const { gateway, told } = await openGateway();
      owned.use(gateway);
      const sessionId = await gateway.start();
      const device = await openDevice(gateway, { screen });
      const other = await openDevice(gateway, { screen });
      const { page } = device;
      await device.open(`/s/${sessionId}`);
      await other.open(`/s/${sessionId}`);

      const form = card(page, PROMPT);
      await form.waitFor();
      await expectLongFieldInSight(page, form);
      await expectReady(button(form, "Submit"));
      await device.press(button(form, "Submit"));
      const summary = form.getByRole("group", { name: "Fields to fix" });
      await expectFocus(summary);
      await summary.getByText("Fix 4 fields").waitFor();
      await form.getByLabel("E-mail").fill("ada@example.org");
      await form.getByLabel("Customer").fill("unknown");
      await form.getByRole("textbox", { name: "Key" }).fill(SECRET);
      await device.press(form.getByText("No", { exact: true }));
      device.allowProblem(/422/);
      await expectReady(button(form, "Submit"));
      await device.press(button(form, "Submit"));
      await summary.getByText("Wrong format.").waitFor();
      await expectFocus(summary);

      await page.reload();
      expect(await form.getByLabel("E-mail").inputValue()).toBe("ada@example.org");
      expect(await form.getByRole("radio", { name: "No" }).isChecked()).toBe(true);
      expect(await form.getByRole("textbox", { name: "Key" }).inputValue()).toBe("");
      await form.getByRole("textbox", { name: "Key" }).fill(SECRET);
      await form.getByLabel("Customer").fill("AB-12");
      await expectReady(button(form, "Submit"));
      await form.getByLabel("Customer").press("Enter");

      await form.getByText("We do not know this customer.").waitFor();
      await expectFocus(form);
      expect(await conversation(page).getByRole("article").count()).toBe(1);
      expect(await form.getByLabel("Customer").inputValue()).toBe("AB-12");
      await form.getByRole("textbox", { name: "Key" }).fill(SECRET);
      await form.getByLabel("Customer").fill("CD-34");
      await expectReady(button(form, "Submit"));
      await device.press(button(form, "Submit"));

      await conversation(page)
        .getByText("Receipt to ada@example.org, copy: No, key ••••")
        .waitFor();
      await conversation(page).getByText("The receipt is sent.").waitFor();
      const elsewhere = conversation(other.page);
      await elsewhere.getByText("Receipt to ada@example.org, copy: No, key ••••").waitFor();
      await other.press(elsewhere.getByRole("button", { name: "1 earlier answer" }));
      await elsewhere.getByRole("article").nth(1).waitFor();

      const values = { email: "ada@example.org", key: SECRET, copy: false };
      expect(told).toEqual([
        { ...values, code: "AB-12" },
        { ...values, code: "CD-34" },
      ]);
      for (const seen of [page, other.page]) {
        const stored = await seen.evaluate("JSON.stringify({ ...localStorage })");
        expect([await seen.content(), stored].join()).not.toContain(SECRET);
      }
      const events = JSON.stringify(await new Api(gateway.url).events(sessionId));
      expect(events).toContain('"redacted":["key"]');
      expect(events).not.toContain(SECRET);
    },
  );
});
