import type { HoldRequest } from "@holdpoint/engine";
import { expect } from "vitest";

import { Api } from "../support/api.ts";
import { startGateway, TOKEN } from "../support/gateway-process.ts";
import { button, card, CARDS, composer, PROMPTS } from "./support/conversation.ts";
import { openElementPage } from "./support/element-page.ts";
import { untilPresent } from "./support/embedding.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { test as base } from "./support/test.ts";

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
const test = base.extend("plain", { scope: "file" }, async ({}, { onCleanup }) => {
  const plain = await openElementPage();
  onCleanup(() => plain[Symbol.asyncDispose]());
  return plain;
});
/* oxlint-enable no-empty-pattern */

test("[R-6] a plain page shows a conversation in an element, which asks, answers, and disconnects when it is removed", async ({
  plain,
  openDevice,
}) => {
  await using gateway = await startGateway({
    args: ["--agent", "demo", "--embed-origin", plain.url],
  });
  await plain.write(gateway.url);
  const { sessionId } = await new Api(gateway.url).createSession({ agent: "demo" });
  const device = await openDevice(plain, { signedIn: false });
  await device.open();
  const { page } = device;
  const element = page.locator("holdpoint-session");
  await element.evaluate((node, id) => node.setAttribute("session", id), sessionId);
  expect(await element.evaluate((node) => node.shadowRoot)).toBeNull();

  await element.evaluate((node, token) => Object.assign(node, { token }), TOKEN);
  await composer(page).fill(PROMPTS.questions);
  await page.keyboard.press("Enter");
  const questions = card(page, CARDS.questions);
  await questions.waitFor();
  // The page's rules, which hide every button, do not apply inside the element.
  const deny = questions.getByRole("button").first();
  await deny.waitFor();
  const ink = await deny.evaluate((node) => getComputedStyle(node).color);
  expect(ink).not.toBe("rgb(255, 0, 0)");
  const line = await questions.evaluate((node) => getComputedStyle(node).borderTopWidth);
  expect(line).toBe("1px");
  expect(await button(questions, "Skip all").count()).toBe(1);

  // The secret is in no attribute, and cannot be read from the element.
  expect(await page.content()).not.toContain(TOKEN);
  expect(await element.evaluate((node) => (node as { token?: unknown }).token)).toBeUndefined();

  await element.evaluate((node) => node.remove());
  await untilPresent(gateway, (clients) => clients.every((id) => id === "watcher"));
});

const form: HoldRequest = {
  kind: "form",
  toolCallId: "call_form",
  toolName: "ask",
  prompt: "Name it",
  form: {
    schema: {
      type: "object",
      properties: { name: { type: "string", title: "Name" } },
      required: ["name"],
    },
  },
};

test("in an element, too, errors take the focus, and typed letters are not taken as shortcuts", async ({
  plain,
  owned,
  openDevice,
}) => {
  const gateway = owned.use(await openScriptedGateway(sayAndAsk([], [form]), { parkAfterMs: 0 }));
  const sessionId = await gateway.start();
  const device = await openDevice(gateway, { signedIn: false });
  // Chromium does not know where this mocked page comes from, and reports that for local addresses.
  device.allowProblem(/LOCAL_NETWORK_ACCESS_CHECKS/u);
  const { page } = device;
  await page.route("**/*.js", async (route) => {
    const { pathname } = new URL(route.request().url());
    const body = await (await fetch(plain.url + pathname)).text();
    await route.fulfill({ contentType: "text/javascript", body });
  });
  const html = `<holdpoint-session gateway="/" session="${sessionId}" style="height: 700px"></holdpoint-session>
    <script type="module" src="/element.js"></script>`;
  await page.route("**/plain", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto("/plain");
  const element = page.locator("holdpoint-session");
  await element.evaluate((node, token) => Object.assign(node, { token }), TOKEN);

  const asked = card(page, "Name it");
  await button(asked, "Submit").press("Enter");
  const focused = () => element.evaluate((node) => node.shadowRoot?.activeElement?.textContent);
  await expect.poll(focused).toContain("Fix 1 field");
  await button(asked, "Cancel").press("Enter");
  const undo = button(page, "Undo");
  await undo.waitFor();
  await composer(page).press("z");
  expect(await composer(page).inputValue()).toBe("z");
  expect(await undo.count()).toBe(1);
});
