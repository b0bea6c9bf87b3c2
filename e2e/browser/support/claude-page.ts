import { inOrder, say } from "@holdpoint/agents/testing";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

import { Api, pending, until } from "../../support/api.ts";
import type { Device } from "../../support/browser.ts";
import { untilRecorded } from "../../support/claude-records.ts";
import { NETWORK_TROUBLE } from "./behind-line.ts";
import { type ClaudeScene, LIBRARY, type SceneGateway } from "./claude-scene.ts";
import { conversation } from "./conversation.ts";
import { takePicture } from "./pictures.ts";
import type { OpenDevice } from "./test.ts";

/** For a machine with other work; `durability.test.ts` enforces the two seconds. */
const BACK_WITHIN_MS = 10_000;

/** The card of an interaction in any state. */
export function cardOf(page: Page, interactionId: string): Locator {
  return conversation(page).locator(`article[data-interaction-id="${interactionId}"]`);
}

/** Expects that Claude got this answer once, at this call, and that no one was asked twice. */
export async function expectResumed(
  claude: ClaudeScene,
  gateway: SceneGateway,
  sessionId: string,
): Promise<void> {
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

export interface AskedOnPage {
  readonly killed: SceneGateway;
  readonly sessionId: string;
  readonly interactionId: string;
  readonly device: Device;
}

/** Opens a page that shows a pending question with an answer chosen but not sent. */
export async function askOnPage(
  claude: ClaudeScene,
  openDevice: OpenDevice,
  args: readonly string[] = [],
): Promise<AskedOnPage> {
  claude.model.play(inOrder([[LIBRARY], [say("Then luxon it is.")]]));
  const killed = await claude.start(args);
  const api = new Api(killed.url);
  const { sessionId } = await api.createSession({ agent: "claude" });
  const device = await openDevice(killed.viaLine);
  device.allowProblem(NETWORK_TROUBLE);
  // Without a connected page Claude would be parked at once.
  await device.open(`/s/${sessionId}`);
  await device.page.getByText("Tell it what to do").waitFor();
  await api.send(sessionId, "Choose a library.");
  const { interactionId, toolCallId } = await pending(api, sessionId);
  await untilRecorded(claude.folder, toolCallId);
  await device.press(cardOf(device.page, interactionId).getByRole("radio", { name: "luxon" }));
  return { killed, sessionId, interactionId, device };
}

/** Starts the gateway again, and waits until the page has reconnected. */
export async function comeBack(
  claude: ClaudeScene,
  page: Page,
  name: string,
): Promise<SceneGateway> {
  await page.getByText("Offline.").waitFor();
  await takePicture(page, `${name}-2-offline`);
  const gateway = await claude.start();
  await page.getByText("Offline.").waitFor({ state: "detached", timeout: BACK_WITHIN_MS });
  return gateway;
}
