import { describe, expect } from "vitest";

import { rows } from "../support/breadth.ts";
import { NETWORK_TROUBLE } from "./support/behind-line.ts";
import { askOnPage, cardOf, comeBack, expectResumed } from "./support/claude-page.ts";
import {
  findProcesses,
  killAll,
  isAlive,
  type SceneGateway,
  test,
} from "./support/claude-scene.ts";
import { button, card, conversation, expectReady } from "./support/conversation.ts";
import { takePicture } from "./support/pictures.ts";

const PATIENCE = { timeout: 5000 };

type Death = readonly [
  words: string,
  what: "gateway" | "gateway and host" | "gateway, host and agent",
];

const DEATHS = rows<Death>(
  [["everything", "gateway, host and agent"]],
  [
    ["the gateway", "gateway"],
    ["the gateway with the agent's host", "gateway and host"],
  ],
);

/** Kills the named processes at once. */
async function kill(gateway: SceneGateway, what: Death[1]): Promise<void> {
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

describe("A question of the real Claude", () => {
  test.for(DEATHS)(
    "[R-2] [R-4] stays on the open page while %s is killed, and its answer resumes Claude at the same call",
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
      await expect.poll(() => page.title()).toMatch(/^\(1\)/);

      await expectReady(button(asked, "Submit"));
      await device.press(button(asked, "Submit"));
      await conversation(page).getByText("Then luxon it is.").waitFor();
      await card(page, "Submitted").getByText("Delivered to the agent").waitFor();
      await takePicture(page, `${what}-4-answered`);
      await expectResumed(claude, gateway, sessionId);
    },
  );

  test("[R-4] is parked and marked as such when the gateway shuts down, and its answer starts Claude again", async ({
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
    await asked.getByText("Parked until you answer.").waitFor();
    await page.getByText("Parked: your answer restarts the agent").waitFor();
    await conversation(page).getByText("Parked here until the answer arrives.").waitFor();
    expect(await conversation(page).getByText("Stopped.").count()).toBe(0);
    expect(findProcesses(gateway)).toEqual({ hosts: [], agents: [] });
    await takePicture(page, "parked-3-back");
    await expectReady(button(asked, "Submit"));
    await device.press(button(asked, "Submit"));
    await conversation(page).getByText("Then luxon it is.").waitFor();
    await takePicture(page, "parked-4-answered");
    await expectResumed(claude, gateway, sessionId);
  });

  test("[R-1] on two pages is answered on one after everything was killed, and the other shows who answered", async ({
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
    // This message moves the buttons.
    await asked.getByText("Parked until you answer.").waitFor();
    await phone.press(asked.getByRole("radio", { name: "luxon" }));
    await expectReady(button(asked, "Submit"));
    await phone.press(button(asked, "Submit"));
    await card(phone.page, "Submitted").getByText("Delivered to the agent").waitFor();
    await card(device.page, "Answered on another device")
      .getByText("Delivered to the agent")
      .waitFor();
    await takePicture(phone.page, "two pages-4-phone");
    await takePicture(device.page, "two pages-4-desktop");
    await expectResumed(claude, gateway, sessionId);
  });
});
