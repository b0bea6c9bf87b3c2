import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

import {
  createDeviceSigner,
  createHttpTransport,
  createSessionStore,
  createWebSocketTransport,
} from "@holdpoint/client";
import { expect, test } from "vitest";

import { openCuttingProxy } from "../packages/store-postgres/src/testing/cutting-proxy.ts";
import { PASSWORD } from "../packages/store-postgres/src/testing/postgres-server.ts";
import { createDatabase } from "../packages/store-postgres/src/testing/test-database.ts";
import { signInDevice } from "./support/api-device.ts";
import { Api, pending, until } from "./support/api.ts";
import { spawnGateway, startGateway, TOKEN } from "./support/gateway-process.ts";
import { CLUSTER_SECRET, openNodes, roleOf, untilRole } from "./support/nodes.ts";

// Concurrent: most of the time they wait for a lease to end.
test.concurrent("[R-2] [R-4] any node answers any request; one that dies with a pending interaction loses nothing, and another delivers its answer once", async () => {
  await using nodes = await openNodes();
  const first = await nodes.start("first");
  const second = await nodes.start("second");
  expect([await roleOf(first), await roleOf(second)]).toEqual(["working", "standby"]);
  for (const name of ["environ", "cmdline"]) {
    expect(await readFile(`/proc/${first.pid}/${name}`, "utf8")).not.toContain(CLUSTER_SECRET);
  }
  const api = new Api(nodes.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  // A page that follows through the standby node.
  await using transport = createWebSocketTransport({
    baseUrl: second.url,
    token: TOKEN,
    clientId: "page",
  });
  await using page = createSessionStore({ transport, sessionId });
  page.subscribe(() => undefined);
  const device = await signInDevice(first.launchUrl);
  const proofs: [url: string, init: RequestInit][] = [];
  await using person = createHttpTransport({
    baseUrl: nodes.url,
    token: createDeviceSigner({ baseUrl: nodes.url, device }),
    clientId: "device",
    fetch: (url, init = {}) => {
      proofs.push([url as string, init]);
      return fetch(url, init);
    },
  });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  await person.listInteractions({ sessionId });
  const [used, init] = proofs.at(-1)!;
  const isShown = (): boolean => JSON.stringify(page.getSnapshot()).includes(interactionId);
  await until(async () => isShown(), "the card on the page");
  expect(nodes.counts.every((count) => count > 1)).toBe(true);
  const figures = await fetch(`${second.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(await figures.text()).toContain('node{role="standby"} 1');
  // A proof that was used is refused by every node.
  const replay = async (url: string): Promise<number> =>
    (await fetch(used.replace(nodes.url, url), init)).status;
  expect(await replay(second.url)).toBe(401);

  await first.stop("SIGKILL");
  await until(async () => {
    const { status, headers } = await fetch(`${second.url}/api/agents`);
    return status === 503 && headers.get("retry-after") === "1";
  }, "an answer that no node works");
  await untilRole(second, "working");
  expect(await replay(second.url)).toBe(401);
  // Signed-in people stay signed in.
  expect(await person.getInteraction(interactionId)).toMatchObject({ interactionId });
  const clients = ["one", "other"].map((clientId) => new Api(nodes.url, { clientId }));
  const answers = await Promise.all(
    clients.map((client) =>
      client.respond(interactionId, { action: "submit", reply: "Exactly this" }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  const events = await api.events(sessionId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "interaction_delivered")).toHaveLength(1);
  await until(
    async () => JSON.stringify(page.getSnapshot()).includes("Exactly this"),
    "the answer on the page, which has come again by itself",
  );
});

test.concurrent("[R-1] a node that was stopped, replaced and woken becomes a standby: it writes nothing, and forwards requests", async () => {
  await using nodes = await openNodes();
  const paused = await nodes.start("paused");
  const other = await nodes.start("other");
  const through = new Api(paused.url);
  const { sessionId } = await through.createSession({ agent: "demo" });
  await through.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(through, sessionId);
  paused.process.kill("SIGSTOP");
  await untilRole(other, "working");
  const api = new Api(other.url);
  const answer = await api.respond(interactionId, { action: "submit", reply: "Meanwhile" });
  expect(answer.status).toBe(200);
  paused.process.kill("SIGCONT");
  await untilRole(paused, "standby");
  expect(paused.stderr()).toContain("has lost its lease");
  const isDelivered = async (): Promise<boolean> =>
    (await through.interaction(interactionId)).status === "delivered";
  await until(isDelivered, "the delivery");
  await through.idle(sessionId);
  const events = await api.events(sessionId);
  expect(await through.events(sessionId)).toEqual(events);
  expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "interaction_delivered")).toHaveLength(1);

  // A node that shuts down returns the lease at once.
  const { workingNode: before } = await nodes.report();
  expect(await other.stop("SIGTERM")).toBe(0);
  expect((await nodes.report()).workingNode?.fence).not.toBe(before?.fence);
  await untilRole(paused, "working");
  expect(await through.events(sessionId)).toHaveLength(events.length);
});

test.concurrent("[R-2] a node that cannot tell whether it has the lease stops working, and resumes when the database is back", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const env = { HOLDPOINT_STORE: proxy.url, HOLDPOINT_CLUSTER_SECRET: CLUSTER_SECRET };
  await using node = await startGateway({ env });
  const api = new Api(node.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  proxy.close();
  const noneWorks = async () => (await api.call("GET", "/agents")).status === 503;
  await until(noneWorks, "an answer that no node works");
  const doctor = spawnGateway(["doctor", "--data-dir", node.dataDir], { cwd: node.dataDir });
  expect(await text(doctor.stdout!)).toContain("it is a standby node, and no node is working");
  proxy.open();
  await untilRole(node, "working");
  const answer = await api.respond(interactionId, { action: "submit", reply: "Now" });
  expect(answer.status).toBe(200);
  const isDelivered = async () => (await api.interaction(interactionId)).status === "delivered";
  await until(isDelivered, "the delivery");
  expect(node.stderr()).not.toContain(PASSWORD);
  expect(await node.stop("SIGTERM")).toBe(0);
});
