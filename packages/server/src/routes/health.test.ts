import { Server } from "node:net";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { ConnectionRoom } from "../http/connection-room.ts";
import { createFakeGateway } from "../testing/fake-gateway.ts";
import { rawRequest, serve } from "../testing/serve.ts";
import { healthRoutes } from "./health.ts";

const HOSTS = [
  "10.0.0.7:4870",
  "holdpoint.default.svc.cluster.local",
  "[fd00::1]:80",
  "a_b.example",
  "user@evil.example",
  "<script>",
  "",
];

test("monitors read the health under any name, and only a status", async () => {
  await using served = await serve();
  for (const host of HOSTS) {
    for (const [path, status] of [
      ["/healthz", "ok"],
      ["/readyz", "ready"],
    ] as const) {
      const { text, ...answer } = await rawRequest(served.port, { path, headers: { host } });
      expect([host, path, answer.status, text]).toEqual([
        host,
        path,
        200,
        JSON.stringify({ status }),
      ]);
    }
  }
});

test.each([
  ["another path", { path: "/healthz/../api/agents" }],
  ["a query", { path: "/healthz?x=1" }],
  ["an encoded path", { path: "/%68ealthz" }],
  ["another method", { path: "/healthz", method: "POST" }],
  ["the page", { path: "/" }],
])("%s is refused under a foreign name", async (_, request) => {
  await using served = await serve();
  const headers = { host: "evil.example" };
  expect(await rawRequest(served.port, { ...request, headers })).toMatchObject({ status: 421 });
});

test("a page of another site cannot read the health", async () => {
  await using served = await serve();
  const headers = { host: "evil.example", origin: "http://evil.example" };
  const answer = await rawRequest(served.port, { path: "/healthz", headers });
  expect(answer.status).toBe(403);
});

test("a gateway whose store accepts no writes runs and is not ready", async () => {
  const gateway = createFakeGateway();
  await using served = await serve({ gateway });
  gateway.isWritable = false;
  const answer = await served.call("/readyz", { token: null });
  expect([answer.status, await answer.json()]).toEqual([503, { status: "store_unavailable" }]);
  expect((await served.call("/healthz", { token: null })).status).toBe(200);
});

test("a stopping gateway is not ready, and does not ask its store", async () => {
  const gateway = createFakeGateway();
  gateway.draining = true;
  gateway.takesWrites = () => Promise.reject(new Error("It was asked."));
  await using served = await serve({ gateway });
  const answer = await served.call("/readyz");
  expect([answer.status, await answer.json()]).toEqual([503, { status: "draining" }]);
});

test("[R-20] a gateway that refuses connections runs and is not ready", async () => {
  const room = new ConnectionRoom({ clock: new SimulatedClock(), log: { warn: () => undefined } });
  const routes = healthRoutes({ gateway: createFakeGateway(), isNode: false, room } as never);
  const server = new Server();
  room.watch(server);
  server.emit("drop");
  const said: unknown[] = [];
  const c = { json: (body: unknown, status: number) => said.push([status, body]) };
  for (const route of routes) await route.handle({ c } as never);
  expect(said).toEqual([
    [200, { status: "ok" }],
    [503, { status: "connections_full" }],
  ]);
});
