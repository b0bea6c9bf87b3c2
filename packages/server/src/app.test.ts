import { SimulatedClock } from "@holdpoint/engine/testing";
import { OPERATION_NAMES, OPERATIONS } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createApp, createRoutes } from "./app.ts";
import { createContext } from "./create-context.ts";
import { type Route, routeKey } from "./http/route.ts";
import { NO_FILES } from "./static/static-files.ts";
import { createFakeGateway } from "./testing/fake-gateway.ts";
import { sampleRequest } from "./testing/sample-requests.ts";
import { AGENT_TOKEN, listRoutes, PERSON_TOKEN, serve } from "./testing/serve.ts";
import { signIn } from "./testing/test-device.ts";

const routes = listRoutes();
const cases = routes.map((route) => [routeKey(route), route] as const);

function createTestContext() {
  return createContext({
    gateway: createFakeGateway(),
    clock: new SimulatedClock(),
    version: "1.2.3",
  });
}

test("the router serves exactly the routes, every operation among them", () => {
  const context = createTestContext();
  const app = createApp(context, createRoutes(context), NO_FILES);
  const served = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(served.toSorted()).toEqual(routes.map(routeKey).toSorted());
  expect(served).toHaveLength(79);
  expect(served).toEqual(
    expect.arrayContaining(OPERATION_NAMES.map((name) => routeKey(OPERATIONS[name]))),
  );
});

test("a route that does not say who may use it cannot be served", () => {
  const context = createTestContext();
  const { access: _, ...route } = routes[0]!;
  const stray = { ...route, path: "/api/stray" } as Route;
  expect(() => createApp(context, [...createRoutes(context), stray], NO_FILES)).toThrow(
    'The route "GET /api/stray" does not say who may use it.',
  );
});

test("a route for people that does not say which role it needs cannot be served", () => {
  const context = createTestContext();
  const { role: _, ...route } = routes.find(({ access }) => access === "person")!;
  const stray = { ...route, path: "/api/stray" } as Route;
  expect(() => createApp(context, [...createRoutes(context), stray], NO_FILES)).toThrow(
    "does not say which role it needs",
  );
});

describe("authorisation", () => {
  const open = cases.filter(([, { access }]) => access === "anyone");
  const closed = cases.filter(([, { access }]) => access !== "anyone");
  const ofDevices = closed.filter(([, { access }]) => access === "device");
  const ofPersons = closed.filter(([, { access }]) => access === "person").concat(ofDevices);
  const ofAgents = closed.filter(([, { access }]) => access === "agent");

  test("only health, the document and the sign-in routes are open to anyone", () => {
    expect(open.map(([key]) => key)).toEqual([
      "GET /healthz",
      "GET /readyz",
      "POST /api/auth/hello",
      "POST /api/auth/exchange",
      "GET /api/auth/issuers",
      "POST /api/auth/sign-ins",
      "POST /api/auth/sign-ins/finish",
      "GET /socket-frames.json",
      "GET /openapi.json",
    ]);
    expect(closed).toHaveLength(70);
    expect(ofAgents.map(([key]) => key).toSorted()).toEqual([
      "DELETE /api/asks/{interactionId}",
      "DELETE /mcp",
      "GET /api/asks/{interactionId}",
      "GET /mcp",
      "POST /api/asks",
      "POST /api/asks/{interactionId}/comments",
      "POST /mcp",
    ]);
    expect(ofPersons).toHaveLength(closed.length - ofAgents.length);
  });

  test.each(open)("%s needs no token and ignores one", async (_, route) => {
    await using served = await serve();
    const { path, ...init } = sampleRequest(route);
    const refused = { exchangeCode: 401, greetGateway: 403, beginSignIn: 401, finishSignIn: 401 };
    const expected = (refused as Record<string, number>)[route.operationId] ?? 200;
    for (const token of [null, AGENT_TOKEN, PERSON_TOKEN, "unknown"]) {
      const answer = await served.call(path, { ...init, token });
      expect(answer.status).toBe(expected);
    }
  });

  test.each(closed)("%s without a known token is 401 and reaches nothing", async (_, route) => {
    await using served = await serve();
    const { path, ...init } = sampleRequest(route);
    const wrong = ["", "Bearer", "Bearer a b", `Basic ${PERSON_TOKEN}`, `Bearer ${PERSON_TOKEN}x`];
    for (const authorization of [undefined, ...wrong]) {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await served.call(path, { ...init, token: null, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="holdpoint"');
      expect(await answer.json()).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test.each(ofAgents)("%s with a person's token is 403 and reaches nothing", async (_, route) => {
    await using served = await serve();
    const { path, ...init } = sampleRequest(route);
    const answer = await served.call(path, init);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "FORBIDDEN" });
    expect(served.gateway.callers).toEqual([]);
  });

  test.each(ofPersons)(
    "[R-13] %s with an agent's token is 403 and reaches nothing",
    async (_, route) => {
      await using served = await serve();
      const { path, ...init } = sampleRequest(route);
      const answer = await served.call(path, { ...init, token: AGENT_TOKEN });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: "FORBIDDEN" });
      expect(served.gateway.callers).toEqual([]);
    },
  );

  test.each(ofPersons)("%s with a person's device answers as declared", async (_, route) => {
    await using served = await serve({ personName: "Ada" });
    served.gateway.addSession("ses_1");
    const { tokenId, call } = await signIn(served);
    const { path, ...init } = sampleRequest(route);
    const abort = new AbortController();
    const answer = await call(path, { ...init, signal: abort.signal });
    // The fake gateway has no queued messages.
    const declared =
      route.operationId === "removeQueuedMessage" ? [404] : Object.keys(route.answers);
    expect(declared.map(Number)).toContain(answer.status);
    for (const caller of served.gateway.callers) {
      expect(caller).toEqual({
        principal: "person",
        person: "Ada",
        role: "owner",
        client: "Laptop",
        tokenId,
        signedIn: { how: "launch_code", at: "2026-01-01T00:00:00.000Z" },
      });
    }
    abort.abort();
  });

  test("the client that a request names is part of the caller", async () => {
    await using served = await serve();
    const headers = { "x-holdpoint-client": "cli_7" };
    await served.call("/api/sessions", { headers });
    expect(served.gateway.callers).toMatchObject([{ clientId: "cli_7" }]);
    const bad = await served.call("/api/sessions", { headers: { "x-holdpoint-client": "a b" } });
    expect(bad.status).toBe(400);
  });
});

describe("draining", () => {
  test.each(cases.filter(([, { method }]) => method !== "GET"))(
    "%s is refused",
    async (_, route) => {
      await using served = await serve();
      const device = await signIn(served);
      const { path, ...init } = sampleRequest(route);
      const proof = await device.prove({
        ...init,
        path,
        body: init.body ? JSON.stringify(init.body) : "",
      });
      served.gateway.draining = true;
      const token = route.access === "agent" ? AGENT_TOKEN : PERSON_TOKEN;
      const answer =
        route.access === "device"
          ? await device.call(path, { ...init, proof })
          : await served.call(path, { ...init, token });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ code: "DRAINING", retryable: true });
      expect(served.gateway.callers).toEqual([]);
    },
  );

  test("health reports draining", async () => {
    await using served = await serve();
    expect(await (await served.call("/healthz")).json()).toEqual({ status: "ok" });
    served.gateway.draining = true;
    const answer = await served.call("/healthz");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ status: "draining" });
  });
});
