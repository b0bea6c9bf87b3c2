import { expect } from "vitest";

import { Api } from "../support/api.ts";
import { startGateway, TOKEN } from "../support/gateway-process.ts";
import { button, card, CARDS, composer, PROMPTS } from "./support/conversation.ts";
import { openElementPage } from "./support/element-page.ts";
import { untilPresent } from "./support/embedding.ts";
import { test } from "./support/test.ts";

test("[R-6] a plain page shows a conversation in an element, which asks, answers, and ends with it", async ({
  openDevice,
}) => {
  await using plain = await openElementPage();
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
  // The page's rules, which hide every button, end at the element.
  const deny = questions.getByRole("button").first();
  expect(await deny.isVisible()).toBe(true);
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
