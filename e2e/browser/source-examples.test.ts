import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { inOrder, say } from "@holdpoint/agents/testing";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { expectAccessible, expectReflow } from "./support/accessible.ts";
import {
  button,
  card,
  conversation,
  expectFocus,
  expectReady,
  openScopes,
} from "./support/conversation.ts";
import { callGatewayTool, test } from "./support/example-gateway.ts";
import { mainlyOn } from "./support/test.ts";
import { openWebhook } from "./support/webhook.ts";

/** A line or block of a tool call in the conversation. */
function toolBlock(page: Page, text: string): Locator {
  return conversation(page).locator(".hp-tool", { hasText: text });
}

describe("The example of an approval with scopes", () => {
  test.for(mainlyOn("desktop"))(
    "[R-6] deletes the approved files, does not ask again in the session, and shows the scope that applies, on a %s",
    async (screen, { startExample, model, openDevice }) => {
      const gateway = await startExample({ path: "examples/delete-files" });
      const { folder } = gateway;
      const files = ["a.txt", "b.txt"].map((name) => join(folder, name));
      for (const file of files) await writeFile(file, "");
      model.play(
        inOrder([
          [callGatewayTool("delete_files", { names: ["a.txt"] })],
          [callGatewayTool("delete_files", { names: ["b.txt"] })],
          [say("Both are gone.")],
        ]),
      );
      const device = await openDevice(gateway, { screen });
      const { page } = device;
      const sessionId = await gateway.ask("Delete a.txt, then b.txt.");
      await device.open(`/s/${sessionId}`);

      const asked = card(page, "Delete a file?");
      await asked.getByText(files[0]!).waitFor();
      const scopes = await openScopes(device, asked);
      await scopes.getByText(`Deleting any file in ${folder}, in this session.`).waitFor();
      const allow = button(scopes, "Allow for session");
      expect(await allow.getAttribute("aria-disabled")).toBe("true");
      await device.press(asked.getByText("I have read this and want it to run."));
      await expectReady(allow);
      expect(existsSync(files[0]!)).toBe(true);
      await device.press(allow);

      const allowed = card(page, "Submitted");
      await allowed.getByText("Allowed for this session").waitFor();
      await allowed.getByText(`Deleting any file in ${folder}, in this session.`).waitFor();
      await conversation(page).getByText("Both are gone.").waitFor();
      await toolBlock(page, "Allowed for this session")
        .getByText('{"deleted":["a.txt"]}')
        .waitFor();
      await toolBlock(page, "allowed earlier").getByText("b.txt").waitFor();
      expect(await conversation(page).getByRole("article").count()).toBe(1);
      expect(gateway.told()).toEqual([{ deleted: ["b.txt"] }]);
      expect(model.requests.at(-2)?.results).toMatchObject([
        { text: '{"deleted":["a.txt"]}', isError: false },
      ]);
      expect(files.map((file) => existsSync(file))).toEqual([false, false]);
      await expectAccessible(page, "deleted");
    },
  );
});

describe("The example of a questionnaire", () => {
  const PROMPT = "How shall the next release be done?";
  const SUMMARY = "4.2.0 to Beta on 2026-12-12, for Linux, macOS";
  const PLAN = {
    status: "planned",
    version: "4.2.0",
    channel: "beta",
    platforms: ["linux", "macos"],
    region: "europe",
    day: "2026-12-12",
    share: 25,
    announce: true,
    notes: "No reports.\nNot yet.",
  };
  const script = () =>
    inOrder([[callGatewayTool("plan_release", { version: "4.1.9" })], [say("That is the plan.")]]);

  async function expectPlanned(page: Page): Promise<void> {
    const done = card(page, "Submitted");
    await done.getByText(SUMMARY).waitFor();
    await done.getByText("Europe").waitFor();
    await conversation(page).getByText("That is the plan.").waitFor();
    // It replaces its call, and none of its controls are left.
    expect(await conversation(page).locator(".hp-tool").count()).toBe(0);
    expect(await done.locator("input, select, textarea").count()).toBe(0);
  }

  test("is filled in with the keyboard alone, and the agent gets exactly that", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "examples/plan-release" });
    model.play(script());
    const device = await openDevice(gateway);
    const { page } = device;
    const sessionId = await gateway.ask("Plan the release with me.");
    await device.open(`/s/${sessionId}`);
    const asked = card(page, PROMPT);
    const { keyboard } = page;
    await asked.getByLabel("Version").focus();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("4.2.0");
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await keyboard.press("ArrowDown");
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await expectFocus(asked.getByLabel("First region"));
    await keyboard.type("Eur");
    await keyboard.press("Tab");
    await expectFocus(asked.getByLabel("Day"));
    // Whether day or month comes first is the browser's choice.
    await keyboard.type("12122026");
    await asked.getByLabel("Share of customers").focus();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("25");
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await asked.getByLabel("Anything else?").focus();
    await keyboard.type("No reports.\nNot yet.");
    // The keys first scroll to fields that have not been in view yet.
    const submit = async (): Promise<number> => {
      await keyboard.press("ControlOrMeta+Enter");
      await page.waitForTimeout(300);
      return card(page, "Submitted").count();
    };
    await expect.poll(submit).toBe(1);
    await expectPlanned(page);
    expect(gateway.told()).toEqual([PLAN]);
  });

  test("is filled in by touch on a phone, also after a reload, and the agent gets exactly that", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "examples/plan-release" });
    model.play(script());
    const device = await openDevice(gateway, { screen: "phone" });
    const { page } = device;
    const sessionId = await gateway.ask("Plan the release with me.");
    await device.open(`/s/${sessionId}`);
    const asked = card(page, PROMPT);
    await asked.getByLabel("Version").fill("4.2.0");
    await device.press(asked.getByText("Beta", { exact: true }));
    await device.press(asked.getByText("Linux", { exact: true }));
    await device.press(asked.getByText("macOS", { exact: true }));
    await asked.getByLabel("First region").selectOption("Europe");
    await page.reload();
    await asked.getByLabel("Day").fill("2026-12-12");
    await asked.getByLabel("Share of customers").fill("25");
    await device.press(asked.getByText("Announce it on the blog"));
    await asked.getByLabel("Anything else?").fill("No reports.\nNot yet.");
    await expectAccessible(page, "a questionnaire");
    await expectReflow(page, "a questionnaire");
    await expectReady(button(asked, "Submit"));
    await device.press(button(asked, "Submit"));
    await expectPlanned(page);
    expect(gateway.told()).toEqual([PLAN]);
    await expectReflow(page, "a questionnaire that is answered");
  });
});

describe("The example of a form that is asked again", () => {
  test("keeps its place, values and earlier answers, and names the error", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "examples/collect-email" });
    const reason = "Where shall the report go?";
    model.play(inOrder([[callGatewayTool("collect_email", { reason })], [say("Sent.")]]));
    const device = await openDevice(gateway);
    const { page } = device;
    const sessionId = await gateway.ask("Send me the report.");
    await device.open(`/s/${sessionId}`);
    const asked = card(page, reason);
    const email = asked.getByLabel("Email address");
    const newsletter = asked.getByRole("checkbox", { name: "Send me the newsletter" });
    await email.fill("ada@example.com");
    await device.press(newsletter);
    const surface = await conversation(page).locator(".hp-rounds").elementHandle();
    await email.press("Enter");

    await asked.getByText("This address cannot receive mail.").waitFor();
    await asked.getByText("Use an address of your own.").first().waitFor();
    await button(page, "1 earlier answer").waitFor();
    await expectFocus(asked);
    expect(await email.inputValue()).toBe("ada@example.com");
    expect(await newsletter.isChecked()).toBe(true);
    expect(await conversation(page).getByRole("article").count()).toBe(1);
    const same = conversation(page).locator(".hp-rounds");
    expect(await same.evaluate((now, before) => now === before, surface)).toBe(true);
    await expectAccessible(page, "asked again");

    await page.reload();
    expect(await email.inputValue()).toBe("ada@example.com");
    await email.fill("Ada@Lovelace.example");
    // A form that is asked again ignores Enter at first: it may be the second half of a double press.
    const submitted = card(page, "Submitted").getByText("Ada@Lovelace.example");
    await expect
      .poll(async () => {
        if ((await submitted.count()) > 0) return true;
        await email.press("Enter", { timeout: 1000 }).catch(() => undefined);
        return false;
      })
      .toBe(true);
    await conversation(page).getByText("Sent.").waitFor();
    await device.press(button(page, "1 earlier answer"));
    await conversation(page).getByText("ada@example.com").first().waitFor();
    await conversation(page).getByText("The tool asked again").waitFor();
    expect(gateway.told()).toEqual([
      { status: "collected", email: "ada@lovelace.example", newsletter: true },
    ]);
  });
});

describe("The example with a deadline", () => {
  const question = "Which customers shall be told?";
  const queued = {
    status: "queued",
    message: "The person is away. Go on; the answer will come as a message.",
  };

  test("returns a timely answer as the result of the call, below the question", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "examples/ask-later" });
    model.play(inOrder([[callGatewayTool("ask_later", { question })], [say("I will.")]]));
    const device = await openDevice(gateway);
    const { page } = device;
    const sessionId = await gateway.ask("Tell the customers.");
    await device.open(`/s/${sessionId}`);
    const asked = card(page, question);
    await asked.getByLabel("Your answer").fill("All of them.");
    await device.press(button(asked, "Submit"));
    await conversation(page).getByText("I will.").waitFor();
    expect(gateway.told()).toEqual([{ status: "answered", answer: "All of them." }]);
    const block = conversation(page).locator(".hp-tool");
    const done = await block.getByRole("article").boundingBox();
    const result = await block.getByText('"status":"answered"').boundingBox();
    expect(result!.y).toBeGreaterThanOrEqual(done!.y + done!.height);
  });

  test.for(mainlyOn("phone"))(
    "[R-4] reminds once, lets the agent continue, and delivers the answer as a message after a reload and a crash, on a %s",
    async (screen, { startExample, model, openDevice, owned }) => {
      const webhook = owned.use(await openWebhook());
      const gateway = await startExample({
        path: "examples/ask-later",
        env: { ASK_LATER_WAIT_MS: "1500", ASK_LATER_WEBHOOK: webhook.url },
      });
      model.play(
        inOrder([
          [callGatewayTool("ask_later", { question })],
          [say("Meanwhile I write the letter.")],
          [say("Then only those in Europe.")],
        ]),
      );
      const device = await openDevice(gateway, { screen });
      device.allowProblem(/net::ERR_|WebSocket connection/);
      const { page } = device;
      const sessionId = await gateway.ask("Tell the customers.");
      await device.open(`/s/${sessionId}`);
      const asked = card(page, question);
      await asked.getByText("The agent moved on.").waitFor();
      await asked.getByText("Your answer will reach it as a message.").waitFor();
      await conversation(page).getByText("Meanwhile I write the letter.").waitFor();
      await gateway.turnsEnded(sessionId, 1);
      expect(gateway.told()).toEqual([queued]);
      await page.getByText("1 request to answer").waitFor();
      if (screen === "desktop") {
        const entry = page.getByRole("navigation", { name: "Sessions" }).getByRole("listitem");
        await entry.getByText("idle, with a request to answer").waitFor();
        await page.getByRole("complementary", { name: "Inbox" }).getByText("no deadline").waitFor();
      }
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
      expect(webhook.received).toEqual([{ text: `An agent asks: ${question}`, sessionId }]);
      await asked.getByLabel("Your answer").fill("Those in Europe.");
      await expectAccessible(page, "queued");

      await page.reload();
      await asked.getByText("The agent moved on.").waitFor();
      await gateway.killAndRestart();
      await page.reload();
      await asked.getByText("The agent moved on.").waitFor();
      expect(await asked.getByLabel("Your answer").inputValue()).toBe("Those in Europe.");
      await device.press(button(asked, "Submit"));

      await card(page, "Submitted").getByText("Sent to the agent as a message").waitFor();
      await conversation(page).getByText("Then only those in Europe.").waitFor();
      await gateway.turnsEnded(sessionId, 2);
      expect(model.requests.at(-1)?.lastPrompt).toContain("Those in Europe.");
      const events = await gateway.api.events(sessionId);
      const delivered = events.filter(({ type }) => type === "interaction_delivered");
      expect(delivered).toMatchObject([{ how: "user_message" }]);
      expect(model.requests).toHaveLength(3);
      expect(webhook.received).toHaveLength(1);
    },
  );
});

describe("The first tool of the guide", () => {
  test("is loaded from its folder and allowed with one key", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "guides/examples" });
    const invoice = { customer: "Ada", cents: 4200 };
    model.play(inOrder([[callGatewayTool("send_invoice", invoice)], [say("It is sent.")]]));
    const { page, ...device } = await openDevice(gateway);
    const sessionId = await gateway.ask("Send Ada an invoice.");
    await device.open(`/s/${sessionId}`);
    const asked = card(page, "Send an invoice to Ada?");
    await expectReady(button(asked, "Allow once"));
    await asked.focus();
    await page.keyboard.press("a");
    await card(page, "Submitted").getByText("Allowed once").waitFor();
    await conversation(page).getByText("It is sent.").waitFor();
    expect(gateway.told()).toEqual([{ sent: true, invoice }]);
    const outbox = await readFile(join(gateway.folder, "outbox.jsonl"), "utf8");
    expect(JSON.parse(outbox)).toEqual(invoice);
  });
});

describe("A tool that fails while it handles its answer", () => {
  test("reports the failure in plain words on every device and to the agent", async ({
    startExample,
    model,
    openDevice,
  }) => {
    const gateway = await startExample({ path: "e2e/browser/support/failing-tool" });
    model.play(inOrder([[callGatewayTool("deploy", {})], [say("It did not work.")]]));
    const device = await openDevice(gateway);
    const other = await openDevice(gateway, { screen: "phone", colorScheme: "dark" });
    const sessionId = await gateway.ask("Deploy it.");
    for (const one of [device, other]) await one.open(`/s/${sessionId}`);
    const asked = card(device.page, "Deploy to production?");
    await expectReady(button(asked, "Allow once"));
    await device.press(button(asked, "Allow once"));

    const here = card(device.page, "Submitted, then the tool failed");
    await here.getByText("The tool failed while it handled this response.").waitFor();
    const there = card(other.page, "Answered on another device, then the tool failed");
    await there.getByText("The tool failed while it handled this response.").waitFor();
    await conversation(device.page).getByText("It did not work.").waitFor();
    await expectAccessible(other.page, "failed");
    await expectReflow(other.page, "failed");
    expect(gateway.told()).toMatchObject([{ status: "error", message: "The server said 503." }]);
    const events = await gateway.api.events(sessionId);
    const [asking] = await gateway.api.interactions(sessionId, "delivered");
    expect(asking).toMatchObject({ failure: expect.any(String) as string });
    expect(events.at(-1)).toMatchObject({ type: "turn_ended" });
    expect(await gateway.api.interactions(sessionId, "pending")).toEqual([]);
  });
});
