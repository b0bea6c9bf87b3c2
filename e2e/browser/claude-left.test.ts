import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { callTool, inOrder, say } from "@holdpoint/agents/testing";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import { askOnPage, cardOf, comeBack, expectResumed } from "./support/claude-page.ts";
import {
  type ClaudeScene,
  findProcesses,
  killAll,
  LIBRARY,
  type SceneGateway,
  test,
} from "./support/claude-scene.ts";
import { button, card, conversation, expectReady } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

/** Long enough to choose an answer on the page first. */
const PARK_AFTER_MS = 2500;

/** Arguments of a gateway that parks soon even while a page is open. */
async function parkSoon({ folder }: ClaudeScene): Promise<readonly string[]> {
  const path = join(folder, "park-soon.json");
  await writeFile(path, JSON.stringify({ parkAfterMs: PARK_AFTER_MS }));
  return ["--config", path];
}

async function killEverything(gateway: SceneGateway): Promise<void> {
  const { hosts, agents } = findProcesses(gateway);
  killAll([gateway.pid, ...hosts, ...agents]);
  await gateway.stop("SIGKILL");
}

describe("A question of the real Claude that is not answered at once", () => {
  test("[R-4] is parked while its page is open, and answered on another device", async ({
    claude,
    openDevice,
  }) => {
    const asked = await askOnPage(claude, openDevice, await parkSoon(claude));
    const { killed: gateway, sessionId, interactionId, device } = asked;
    const here = cardOf(device.page, interactionId);
    await here.getByText("Parked until you answer.").waitFor();
    await conversation(device.page).getByText("Parked here until the answer").waitFor();
    await expect.poll(() => findProcesses(gateway)).toEqual({ hosts: [], agents: [] });
    expect(await here.getByRole("radio", { name: "luxon" }).isChecked()).toBe(true);
    await takePicture(device.page, "grace-1-parked");

    const phone = await openDevice(gateway.viaLine, { screen: "phone", colorScheme: "dark" });
    await phone.open(`/s/${sessionId}`);
    const there = cardOf(phone.page, interactionId);
    await there.getByText("Parked until you answer.").waitFor();
    await phone.press(there.getByRole("radio", { name: "luxon" }));
    await takePicture(phone.page, "grace-2-phone");
    await phone.press(button(there, "Submit"));
    await card(phone.page, "Submitted").waitFor();
    await takePicture(phone.page, "grace-3-phone-resuming");
    await card(device.page, "Answered on another device")
      .getByText("Delivered to the agent")
      .waitFor();
    await conversation(device.page).getByText("Then luxon it is.").waitFor();
    await takePicture(device.page, "grace-4-answered");
    await expectResumed(claude, gateway, sessionId);
  });

  test("[R-4] is answered by a message that quotes it when Claude's record is gone, and the page explains why", async ({
    claude,
    openDevice,
  }) => {
    const asked = await askOnPage(claude, openDevice, await parkSoon(claude));
    const { interactionId, device } = asked;
    const { page } = device;
    await cardOf(page, interactionId).getByText("Parked until you answer.").waitFor();
    await claude.loseTranscripts();
    await device.press(button(cardOf(page, interactionId), "Submit"));
    const log = conversation(page);
    await log.getByText("The agent cannot go on where it was").waitFor();
    await log.getByText("Your late answer, sent to the agent as a message").waitFor();
    await log.getByText("Then luxon it is.").waitFor();
    await card(page, "Submitted").getByText("Sent to the agent as a message").waitFor();
    await takePicture(page, "history lost-answered");
    const sent = claude.model.requests.at(-1)?.firstPrompt;
    expect(sent).toContain("Question: Which library?");
    expect(sent).toContain('Answer: "luxon"');
  });

  test("[R-1] is orphaned when everything is gone, takes a late answer, and disappears on all devices when dismissed on one", async ({
    claude,
    openDevice,
  }) => {
    const { killed, interactionId, device } = await askOnPage(claude, openDevice);
    const { page } = device;
    claude.model.play(inOrder([[LIBRARY], [say("Then luxon it is.")]]));
    const other = (await new Api(killed.url).createSession({ agent: "claude" })).sessionId;
    await new Api(killed.url).send(other, "Choose another library.");
    const second = (await pending(new Api(killed.url), other)).interactionId;
    await killEverything(killed);
    await claude.loseTranscripts();
    const gateway = await comeBack(claude, page, "orphaned");
    const orphan = cardOf(page, interactionId);
    await orphan.getByText("The agent stopped.").waitFor();
    await orphan.getByText("Your answer will reach it as a message.").waitFor();
    await takePicture(page, "orphaned-3-back");
    await device.press(button(orphan, "Submit"));
    await conversation(page)
      .getByText("Your late answer, sent to the agent as a message")
      .waitFor();
    await conversation(page).getByText("Then luxon it is.").waitFor();
    await takePicture(page, "orphaned-4-answered late");
    expect(claude.model.requests.at(-1)?.firstPrompt).toContain('Answer: "luxon"');

    const phone = await openDevice(gateway.viaLine, { screen: "phone", colorScheme: "dark" });
    await phone.open(`/s/${other}`);
    await cardOf(phone.page, second).getByText("The agent stopped.").waitFor();
    await takePicture(phone.page, "orphaned-5-phone");
    await device.open(`/s/${other}`);
    await expect.poll(() => phone.page.title()).toMatch(/^\(1\)/u);
    await device.press(button(cardOf(page, second), "Dismiss"));
    for (const one of [device, phone]) {
      await card(one.page, "Withdrawn").waitFor();
      await expect.poll(() => one.page.title()).not.toMatch(/^\(/u);
    }
    await takePicture(page, "dismissed-here");
    await takePicture(phone.page, "dismissed-there");
  });
});

describe("An approval of the real Claude", () => {
  test("[R-4] whose agent was killed while the command ran is shown as not confirmed, and the agent is asked to check", async ({
    claude,
    openDevice,
  }) => {
    const command = "touch begun; sleep 20; touch done";
    const bash = callTool("Bash", { command, description: "Take a while" });
    claude.model.play(inOrder([[bash], [say("It had begun, and not ended.")]]));
    const killed = await claude.start();
    const { sessionId } = await new Api(killed.url).createSession({ agent: "claude" });
    const device = await openDevice(killed.viaLine);
    const { page } = device;
    device.allowProblem(NETWORK_TROUBLE);
    await device.open(`/s/${sessionId}`);
    await page.getByText("Tell it what to do").waitFor();
    await new Api(killed.url).send(sessionId, "Take a while.");
    const { interactionId } = await pending(new Api(killed.url), sessionId);
    const asked = cardOf(page, interactionId);
    await expectReady(button(asked, "Allow once"));
    await takePicture(page, "unknown-1-asked");
    await device.press(button(asked, "Allow once"));
    await asked.getByText("On its way to the agent").waitFor();
    await takePicture(page, "unknown-2-running");
    await killEverything(killed);

    const gateway = await comeBack(claude, page, "unknown");
    await asked.getByText("Delivery to the agent not confirmed").waitFor();
    const note = conversation(page).getByRole("note");
    await note.getByText("Check whether it ran.").waitFor();
    expect(await conversation(page).getByText("Nothing has run").count()).toBe(0);
    await takePicture(page, "unknown-3-back");
    await device.press(button(note, "Ask the agent to check"));
    await note.getByText("The agent was asked to check.").waitFor();
    await conversation(page).getByText("It had begun, and not ended.").waitFor();
    await takePicture(page, "unknown-4-checked");
    const events = await new Api(gateway.url).events(sessionId);
    const messages = events.filter((event) => event.type === "user_message");
    expect(messages.map(({ content }) => content)).toEqual([
      "Take a while.",
      expect.stringContaining(`Bash (${command})`),
    ]);
    expect(messages[1]?.content).toContain("Look whether it did, without running it again");
    const { status } = await until(async () => {
      const session = await new Api(gateway.url).session(sessionId);
      return session.status === "idle" && session;
    }, "the end");
    expect(status).toBe("idle");
    expect(await new Api(gateway.url).interaction(interactionId)).toMatchObject({ how: "unknown" });
  });
});
