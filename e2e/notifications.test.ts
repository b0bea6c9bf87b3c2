import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import type { PushedMessage } from "@holdpoint/notify/testing";
import type { AgentToken } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { openApiDevice } from "./support/api-device.ts";
import { Api, pending, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { startGateway } from "./support/gateway-process.ts";
import { openPushScene, type PushScene } from "./support/push-scene.ts";
import { timeHere } from "./support/time-here.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 4);

/** Subscribes a device of the gateway. */
async function subscribe(launchUrl: string, { service }: PushScene): Promise<void> {
  await using device = await openApiDevice(launchUrl);
  await device.subscribeNotifications({ ...service.subscribe("phone"), about: "all" });
}

/** Has the demo agent ask in a new session. */
async function ask(url: string): Promise<{ api: Api; interactionId: string }> {
  const api = new Api(url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  return { api, interactionId };
}

/** Asks with a tool call that ends as queued: its request stays pending even without its agent and gateway. */
async function askThatStays(url: string): Promise<string> {
  const api = new Api(url);
  const { body } = await api.call<AgentToken>("POST", "/auth/agent-tokens", { label: "Codex" });
  await using agent = await connectMcp(body.url, body.token);

  await agent.client.callTool({ name: "ask_user", arguments: { question: "Which color?" } });
  return (await pending(api, body.sessionId)).interactionId;
}

function messagesAbout({ service }: PushScene, interactionId: string): PushedMessage["step"][] {
  return service.received
    .filter(({ message }) => message.tag === interactionId)
    .map(({ message }) => message.step);
}

test("the real gateway notifies a subscribed device, withdraws the notification, and sends nothing secret", async () => {
  await using scene = await openPushScene();
  await using gateway = await startGateway({ ...scene.options, hasTerminal: true });
  await subscribe(gateway.launchUrl, scene);
  const { api, interactionId } = await ask(gateway.url);
  await until(async () => messagesAbout(scene, interactionId).length === 1, "the message");
  const answered = performance.now();
  await api.respond(interactionId, { action: "cancel" });
  await until(async () => messagesAbout(scene, interactionId).length === 2, "its end");
  expect(scene.service.received[1]!.atMs - answered).toBeLessThan(timeHere(2000));
  expect(messagesAbout(scene, interactionId)).toEqual(["tell", "close"]);

  const key = join(scene.options.dataDir, "push.key");
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  const secret = (await readFile(key)).toString("hex");
  for (const { headers, text } of scene.service.received) {
    expect(JSON.stringify(headers)).not.toContain(secret);
    expect(text).not.toContain(gateway.url);
  }
  expect(gateway.stderr()).not.toContain(scene.service.host);
});

test(`${KILLS} gateways killed between storing a notification and its confirmation lose none, and repeat one only under the same tag`, async ({
  annotate,
}) => {
  await using scene = await openPushScene({}, { toolHoldLimitMs: 1000 });
  const { service } = scene;
  {
    await using gateway = await startGateway({ ...scene.options, hasTerminal: true });
    await subscribe(gateway.launchUrl, scene);
  }
  const killed: string[] = [];
  let tried = 0;
  for (let round = 0; round < KILLS; round += 1) {
    await using gateway = await startGateway(scene.options);
    const arrived = Promise.withResolvers<void>();
    // Every other gateway dies while the push service has its message, the others while they wait to send it again.
    service.answer = async () => {
      arrived.resolve();
      if (round % 2 === 0) await new Promise(() => undefined);
      return { status: 503 };
    };
    const interactionId = await askThatStays(gateway.url);
    await arrived.promise;
    await gateway.stop("SIGKILL");
    killed.push(interactionId);
    tried += 1;

    service.answer = () => ({ status: 201 });
    await using next = await startGateway(scene.options);
    await until(
      async () => messagesAbout(scene, interactionId).length > 0,
      `the message about ${interactionId}`,
    );
    expect(messagesAbout(scene, interactionId)).toEqual(["tell"]);
    const api = new Api(next.url);
    expect((await api.respond(interactionId, { action: "cancel" })).status).toBe(200);
    await until(
      async () => messagesAbout(scene, interactionId).includes("close"),
      `the end of the message about ${interactionId}`,
    );
    expect(messagesAbout(scene, interactionId)).toEqual(["tell", "close"]);
  }
  expect(new Set(killed).size).toBe(KILLS);
  expect(tried).toBe(KILLS);
  await annotate(`${KILLS} gateways killed while they notify`, "cases");
});

test("a gateway with webhooks to metadata addresses still notifies devices, and logs no secret", async () => {
  const hooks = ["http://169.254.169.254/latest/meta-data", "http://[fd00:ec2::254]/latest"];
  const secret = "a secret of sixteen or more";
  await using scene = await openPushScene({ webhooks: hooks.map((url) => ({ url, secret })) });
  await using gateway = await startGateway({ ...scene.options, hasTerminal: true });
  await subscribe(gateway.launchUrl, scene);
  const { interactionId } = await ask(gateway.url);
  await until(async () => messagesAbout(scene, interactionId).length === 1, "the message");
  expect(gateway.stderr()).not.toContain(secret);
});
