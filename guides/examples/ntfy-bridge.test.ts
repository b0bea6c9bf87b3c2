import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
} from "@holdpoint/engine";
import { createMemoryNotificationStore, createVapidKey, Notifications } from "@holdpoint/notify";
import { expect, onTestFinished, test, vi } from "vitest";

import { createDeployAgent } from "./deploy-agent.ts";
import { createBridge } from "./ntfy-bridge.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("the bridge forwards the gateway's notifications to ntfy, and refuses unsigned ones", async () => {
  const published: string[] = [];
  const ntfy = createServer((request, response) => {
    void text(request).then((body) => {
      published.push(body);
      response.end();
    });
  });
  const bridge = await listen(createBridge(await listen(ntfy), "holdpoint-ada", SECRET));
  const ids = createSystemIds();
  const clock = createSystemClock();
  const webhooks = [{ url: bridge, secret: SECRET }];
  const store = createMemoryNotificationStore();
  const key = createVapidKey({ contact: "mailto:ada@example.org" });
  const onError = (error: unknown): void => expect.fail(String(error));
  await using gateway = await openGateway({
    store: createMemoryStore(),
    clock,
    ids,
    agents: new Map([["deploy", createDeployAgent(async () => undefined)]]),
    defaultCwd: "/work/shop",
  });
  await using told = await Notifications.open({ store, clock, ids, key, webhooks, onError });
  await told.start(gateway, "https://hold.example");
  const ada = { principal: "person", person: "ada", client: "test" } as const;
  const { sessionId } = await gateway.createSession(ada, { agent: "deploy" });
  await gateway.sendMessage(ada, sessionId, { content: "production" });
  await vi.waitFor(() => expect(published).toHaveLength(1));
  expect(JSON.parse(published[0]!)).toMatchObject({
    topic: "holdpoint-ada",
    message: expect.stringContaining("in shop"),
    click: expect.stringMatching(/^https:\/\/hold\.example\/i\/int_/u),
  });

  const forged = { method: "POST", body: '{"type":"interaction.pending","data":{}}' };
  expect((await fetch(bridge, forged)).status).toBe(401);
  expect(published).toHaveLength(1);
});
