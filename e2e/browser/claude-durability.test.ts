import { inOrder, say } from "@holdpoint/agents/testing";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import {
  type ClaudeScene,
  findProcesses,
  killAll,
  isAlive,
  LIBRARY,
  type SceneGateway,
  test,
} from "./support/claude-scene.ts";
import { button, card, conversation } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";
import type { OpenDevice } from "./support/test.ts";

/** On a machine that does other work as well; `durability.test.ts` holds the two seconds. */
const BACK_WITHIN_MS = 10_000;

const PATIENCE = { timeout: 5000 };

const DEATHS = [
  ["the gateway", "gateway"],
  ["the gateway with the agent's host", "gateway and host"],
  ["everything", "gateway, host and agent"],
] as const;

/** Kills at once what the words say. */
async function kill(gateway: SceneGateway, what: (typeof DEATHS)[number][1]): Promise<void> {
  const { hosts, agents } = findProcesses(gateway);
  expect(hosts).toHaveLength(1);
  expect(agents).toHaveLength(1);
  const others = {
    gateway: [],
    "gateway and host": hosts,
    "gateway, host and agent": [...hosts, ...agents],
  };
  killAll([gateway.pid, ...others[what]]);
  await gateway.stop("SIGKILL");
}

function cardOf(page: Page, interactionId: string): Locator {
  return conversation(page).locator(`article[data-interaction-id="${interactionId}"]`);
}

/** That Claude got this answer, at this call, once, and that nobody was asked twice. */
async function expectResumed(claude: ClaudeScene, gateway: SceneGateway, sessionId: string) {
  const api = new Api(gateway.url);
  await until(async () => (await api.session(sessionId)).status === "idle", "the end");
  const events = await api.events(sessionId);
  const requests = events.filter((event) => event.type === "interaction_request");
  expect(requests).toHaveLength(1);
  const { interactionId, toolCallId } = requests[0]!.interaction;
  expect(await api.interaction(interactionId)).toMatchObject({
    status: "delivered",
    how: "resumed",
  });
  const ofCall = events.filter((event) => "toolCallId" in event && event.toolCallId === toolCallId);
  expect(ofCall.map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
  expect(claude.resultsOf(toolCallId)).toEqual([
    expect.stringContaining('"Which library?"="luxon"'),
  ]);
}

/** A question that waits, on a page that shows it with an answer chosen and not sent. */
async function askOnPage(
  claude: ClaudeScene,
  openDevice: OpenDevice,
): Promise<{ killed: SceneGateway; sessionId: string; interactionId: string; device: Device }> {
  claude.model.play(inOrder([[LIBRARY], [say("Then luxon it is.")]]));
  const killed = await claude.start();
  const api = new Api(killed.url);
  const { sessionId } = await api.createSession({ agent: "claude" });
  const device = await openDevice(killed.viaLine);
  device.allowProblem(NETWORK_TROUBLE);
  // With nobody there Claude would be parked at once.
  await device.open(`/s/${sessionId}`);
  await device.page.getByText("Say what should be done").waitFor();
  await api.send(sessionId, "Choose a library.");
  const { interactionId } = await pending(api, sessionId);
  await device.press(cardOf(device.page, interactionId).getByRole("radio", { name: "luxon" }));
  return { killed, sessionId, interactionId, device };
}

/** The gateway is away, and comes back: the page has it again by itself. */
async function comeBack(claude: ClaudeScene, page: Page, name: string): Promise<SceneGateway> {
  await page.getByText("Offline.").waitFor();
  await takePicture(page, `${name}-2-offline`);
  const gateway = await claude.start();
  await page.getByText("Offline.").waitFor({ state: "detached", timeout: BACK_WITHIN_MS });
  return gateway;
}

describe("A question of the real Claude", () => {
  test.for(DEATHS)(
    "[R-2] [R-4] stays on the open page while %s is killed, and its answer goes on at the same call",
    async ([, what], { claude, openDevice }) => {
      const { killed, sessionId, interactionId, device } = await askOnPage(claude, openDevice);
      const { page } = device;
      await takePicture(page, `${what}-1-asked`);
      await kill(killed, what);
      const gateway = await comeBack(claude, page, what);
      const asked = cardOf(page, interactionId);
      await takePicture(page, `${what}-3-back`);
      expect(await asked.getByRole("radio", { name: "luxon" }).isChecked()).toBe(true);
      expect(await conversation(page).getByRole("article").count()).toBe(1);
      expect(await page.title()).toMatch(/^\(1\)/);

      await device.press(button(asked, "Submit"));
      await conversation(page).getByText("Then luxon it is.").waitFor();
      await card(page, "Submitted").getByText("The agent has it").waitFor();
      await takePicture(page, `${what}-4-answered`);
      await expectResumed(claude, gateway, sessionId);
    },
  );

  test("[R-4] is parked when the gateway is stopped in order, says so, and its answer starts Claude again", async ({
    claude,
    openDevice,
  }) => {
    const { killed, sessionId, interactionId, device } = await askOnPage(claude, openDevice);
    const { page } = device;
    const { hosts, agents } = findProcesses(killed);
    expect([...hosts, ...agents].filter(isAlive)).toHaveLength(2);
    await killed.stop("SIGTERM");
    await expect.poll(() => [...hosts, ...agents].filter(isAlive), PATIENCE).toEqual([]);
    const gateway = await comeBack(claude, page, "parked");
    const asked = cardOf(page, interactionId);
    await asked.getByText("Parked: no hurry.").waitFor();
    await page.getByText("Parked: no hurry. Your answer starts the agent again").waitFor();
    await conversation(page).getByText("Parked: nothing runs until there is an answer.").waitFor();
    expect(await conversation(page).getByText("Stopped.").count()).toBe(0);
    expect(findProcesses(gateway)).toEqual({ hosts: [], agents: [] });
    await takePicture(page, "parked-3-back");
    await device.press(button(asked, "Submit"));
    await conversation(page).getByText("Then luxon it is.").waitFor();
    await takePicture(page, "parked-4-answered");
    await expectResumed(claude, gateway, sessionId);
  });

  test("[R-1] on two pages is answered on one after everything was killed, and the other says by whom", async ({
    claude,
    openDevice,
  }) => {
    const { killed, sessionId, interactionId, device } = await askOnPage(claude, openDevice);
    const phone = await openDevice(killed.viaLine, { screen: "phone", colorScheme: "dark" });
    phone.allowProblem(NETWORK_TROUBLE);
    await phone.open(`/s/${sessionId}`);
    await cardOf(phone.page, interactionId).waitFor();
    await kill(killed, "gateway, host and agent");
    const gateway = await comeBack(claude, device.page, "two pages");
    await phone.page.getByText("Offline.").waitFor({ state: "detached" });
    await takePicture(phone.page, "two pages-3-phone");
    const asked = cardOf(phone.page, interactionId);
    await phone.press(asked.getByRole("radio", { name: "luxon" }));
    await phone.press(button(asked, "Submit"));
    await card(phone.page, "Submitted").getByText("The agent has it").waitFor();
    await card(device.page, "Answered on another device").getByText("The agent has it").waitFor();
    await takePicture(phone.page, "two pages-4-phone");
    await takePicture(device.page, "two pages-4-desktop");
    await expectResumed(claude, gateway, sessionId);
  });
});
