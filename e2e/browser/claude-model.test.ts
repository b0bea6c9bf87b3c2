import { callTool, inOrder, say, type ScriptedModel } from "@holdpoint/agents/testing";
import type { AgentModel } from "@holdpoint/protocol";
import { expect } from "vitest";

import { Api } from "../support/api.ts";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/claude-scene.ts";
import {
  button,
  card,
  composer,
  conversation,
  expectFocus,
  expectReady,
} from "./support/conversation.ts";
import { expectFits } from "./support/fits.ts";
import { takePicture } from "./support/pictures.ts";

/**
 * The agent starts a sub-agent, which asks before it runs a command, and again before the next command of the same
 * message.
 */
const sendOnErrand: Parameters<ScriptedModel["play"]>[0] = ({ firstPrompt, allResults }) => {
  const isSubAgent = firstPrompt.includes("ERRAND");
  if (allResults.length > 0) return [say(isSubAgent ? "Errand done." : "All done.")];
  if (isSubAgent) {
    return [
      say("On it."),
      callTool("Bash", { command: "touch errand.txt" }, "toolu_inner"),
      callTool("Bash", { command: "touch after.txt" }, "toolu_after"),
    ];
  }
  const input = { description: "Errand", prompt: "ERRAND", subagent_type: "general-purpose" };
  return [callTool("Agent", input, "toolu_outer")];
};

test("The page shows the model that the real Claude reports, lets it be chosen by keyboard and touch, and shows the work of sub-agents under their task", async ({
  claude,
  openDevice,
}) => {
  claude.model.play(inOrder([[say("The first.")], [say("The second.")]]));
  const gateway = await claude.start();
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "claude" });
  const { body } = await api.call<{ items: AgentModel[] }>("GET", `/sessions/${sessionId}/models`);
  const nameOf = (model: string) => body.items.find((one) => one.model === model)?.resolvesTo;
  const device = await openDevice(gateway.viaLine);
  const { page } = device;
  await device.open(`/s/${sessionId}`);
  await composer(page).fill("Hello.");
  await composer(page).press("Enter");
  await conversation(page).getByText("The first.").waitFor();
  const control = page.getByRole("button", { name: `Model: ${nameOf("default")}`, exact: true });
  await control.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Model" });
  const own = dialog.getByRole("radio", { name: /^Default/u });
  await expect.poll(() => own.isChecked()).toBe(true);
  await expectAccessible(page, "the models");
  await takePicture(page, "models");
  await expectFocus(own);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => dialog.getByRole("radio", { name: /^Opus/u }).isChecked()).toBe(true);
  await dialog.getByRole("radio", { name: /^Sonnet/u }).press("Space");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const next = page.getByRole("button", { name: "Model: sonnet, starting with the next answer" });
  await next.waitFor();
  expect(await next.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.reload();
  await next.waitFor();
  await composer(page).fill("And now?");
  await composer(page).press("Enter");
  await page.getByRole("button", { name: `Model: ${nameOf("sonnet")}`, exact: true }).waitFor();
  // The agent names its model before it calls it.
  await expect
    .poll(() => claude.model.requests.map(({ model }) => model))
    .toEqual([nameOf("default"), nameOf("sonnet")]);

  // The work of a sub-agent is shown under its task.
  claude.model.play(sendOnErrand);
  await composer(page).fill("Send somebody.");
  await composer(page).press("Enter");
  const asked = card(page, "Run touch errand.txt?");
  await asked.getByText("sub-agent Errand").waitFor();
  const rows = conversation(page).locator(".hp-row");
  const depthOf = (text: string) =>
    rows.filter({ hasText: text }).last().getAttribute("data-depth");
  const task = rows.filter({ hasText: /^Sub-agent\s*Errand/u }).first();
  expect(await task.getAttribute("data-depth")).toBe("0");
  expect(await depthOf("On it.")).toBe("1");
  expect(await depthOf("Run touch errand.txt?")).toBe("1");
  // No one has been asked about the second command yet.
  const after = conversation(page).getByRole("button", { name: /touch after.txt/ });
  expect(await after.innerText()).toContain("Wants to run");
  await takePicture(page, "sub-agent");
  for (const one of [asked, card(page, "Run touch after.txt?")]) {
    await expectReady(button(one, "Allow once"));
    await device.press(button(one, "Allow once"));
  }
  await conversation(page).getByText("All done.").waitFor();
  const steps = conversation(page).getByRole("button", { name: "4 steps" });
  await expect.poll(() => steps.getAttribute("aria-expanded")).toBe("false");
  expect(await conversation(page).getByText("Errand done.", { exact: true }).count()).toBe(0);
  await device.press(steps);
  await conversation(page).getByText("Errand done.", { exact: true }).waitFor();
  expect(await depthOf("Errand done.")).toBe("1");
  expect(await depthOf("All done.")).toBe("0");
  await takePicture(page, "sub-agent done");

  const phone = await openDevice(gateway.viaLine, { screen: "phone", colorScheme: "dark" });
  await phone.open(`/s/${sessionId}`);
  await phone.press(phone.page.getByRole("button", { name: `Model: ${nameOf("sonnet")}` }));
  const there = phone.page.getByRole("dialog", { name: "Model" });
  await phone.press(there.getByRole("radio", { name: /^Haiku/u }));
  await takePicture(phone.page, "models-phone");
  await phone.press(button(there, "Use this model"));
  await page.getByRole("button", { name: "Model: haiku, starting with the next answer" }).waitFor();

  const title = "Order the dates of the calendar of the office in Vienna";
  await api.call("PATCH", `/sessions/${sessionId}`, { title });
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await expectFits(page, "desktop", "a head with a model");
  await phone.page.getByRole("heading", { level: 1, name: title }).waitFor();
  await expectFits(phone.page, "phone", "a head with a model");

  const demo = await api.createSession({ agent: "demo" });
  await device.open(`/s/${demo.sessionId}`);
  await page.getByRole("combobox", { name: "Permission mode" }).waitFor();
  await page.getByText("Tell it what to do").waitFor();
  expect(await page.getByRole("button", { name: "Model" }).count()).toBe(0);
});
