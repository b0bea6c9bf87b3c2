import { fail, inOrder, say } from "@holdpoint/agents/testing";
import { expect } from "vitest";

import { Api } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/claude-scene.ts";
import { composer, conversation } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

const USED = { usage: { inputTokens: 10, outputTokens: 20 } };

test("The end of each turn of the real Claude shows its usage, also after a reload, or at once how to fix a refused login; the demo agent's shows neither", async ({
  claude,
  openDevice,
}) => {
  claude.model.play(inOrder([[say("The first.")], [say("The second.")]]));
  const gateway = await claude.start();
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "claude" });
  const device = await openDevice(gateway.viaLine);
  const { page } = device;
  await device.open(`/s/${sessionId}`);
  const usage = conversation(page).getByText(/^30 tokens · < \$0\.01$/u);
  for (const [index, text] of ["The first.", "The second."].entries()) {
    await composer(page).fill("Go on.");
    await composer(page).press("Enter");
    await conversation(page).getByText(text).waitFor();
    await expect.poll(() => usage.count()).toBe(index + 1);
  }
  await takePicture(page, "usage");
  await page.reload();
  await expect.poll(() => usage.count()).toBe(2);
  const ends = (await api.events(sessionId)).filter(({ type }) => type === "turn_ended");
  expect(ends).toMatchObject([USED, USED]);

  claude.model.play(() => fail(401, "authentication_error"));
  const before = claude.model.requests.length;
  await composer(page).fill("And now?");
  await composer(page).press("Enter");
  const refused = conversation(page).locator(".hp-notice", {
    hasText: "The agent is not signed in",
  });
  await refused.getByText(/^Log in with Claude Code.*Then send your message again\.$/u).waitFor();
  await page.getByText("Working…").waitFor({ state: "detached" });
  await page.getByRole("link", { name: /failed/u }).waitFor();
  // At once, without all the retries that a busy service gets.
  expect(claude.model.requests.length - before).toBeLessThanOrEqual(3);
  await expectAccessible(page, "a refused login");
  await takePicture(page, "refused login");

  const demo = await api.createSession({ agent: "demo" });
  await device.open(`/s/${demo.sessionId}`);
  await composer(page).fill("Hello");
  await composer(page).press("Enter");
  await conversation(page).getByText("I understand only these sentences").waitFor();
  await expect.poll(async () => (await api.session(demo.sessionId)).status).toBe("idle");
  expect(await conversation(page).getByText("tokens").count()).toBe(0);
});
