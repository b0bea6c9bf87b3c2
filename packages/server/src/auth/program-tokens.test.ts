import type { Gateway } from "@holdpoint/engine";
import type { ProgramScope, ProgramToken } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { type Route, routeKey } from "../http/route.ts";
import { openWelcomed, type ReceivedSocketFrame } from "../testing/open-socket.ts";
import { readStream } from "../testing/read-stream.ts";
import { sampleRequest } from "../testing/sample-requests.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { AGENT_TOKEN, listRoutes, serve, type Served } from "../testing/serve.ts";
import { type DeviceCall, signIn, type TestDevice } from "../testing/test-device.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const CONFIGURED = "configured-token-of-at-least-32-characters";

async function createToken(
  { call }: Pick<TestDevice, "call">,
  scope: ProgramScope,
  expiresInDays = 30,
): Promise<ProgramToken> {
  const body = { label: "Nightly job", scope, expiresInDays };
  const answer = await call("/api/program-tokens", { method: "POST", body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as ProgramToken;
}

describe("a program's token", () => {
  test("acts as the person who made it, and is listed without its value", async () => {
    await using served = await serveEngine();
    const device = await signIn(served);
    const { token, tokenId, expiresAt } = await createToken(device, "respond");
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(expiresAt).toBe("2026-01-31T00:00:00.000Z");
    const init = { method: "POST", token, body: { agent: "scripted" } };
    expect((await served.call("/api/sessions", init)).status).toBe(201);
    const { items } = (await (await device.call("/api/program-tokens")).json()) as {
      items: object[];
    };
    expect(items).toEqual([
      {
        tokenId,
        label: "Nightly job",
        scope: "respond",
        expiresAt,
        createdAt: "2026-01-01T00:00:00.000Z",
        lastUsedAt: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(JSON.stringify(await served.credentials.list())).not.toContain(token);
  });

  test("[R-13] is revoked once, along with its open connections", async () => {
    await using served = await serveEngine();
    const device = await signIn(served);
    const { token, tokenId } = await createToken(device, "respond");
    const stream = readStream(await served.call("/api/events", { token }));
    await stream.take(1);
    const path = `/api/program-tokens/${tokenId}`;
    const devicePath = `/api/devices/${tokenId}`;
    expect((await device.call(devicePath, { method: "DELETE" })).status).toBe(404);
    expect((await device.call(path, { method: "DELETE" })).status).toBe(204);
    expect((await stream.take(100)).at(-1)).toEqual({
      data: { type: "closing", reason: "revoked" },
    });
    expect((await served.call("/api/sessions", { token })).status).toBe(401);
    expect((await device.call(path, { method: "DELETE" })).status).toBe(404);
  });

  test("[R-13] for reading may stream, is no client that can answer, and changes nothing", async () => {
    await using served = await serveEngine();
    const device = await signIn(served);
    const { token } = await createToken(device, "read");
    const interaction = { supported: true, enabled: true };
    const client = await openWelcomed(served, { token, clientId: "watcher", interaction });
    client.send({ type: "subscribe_overview", requestId: "0" });
    client.send({ type: "request", requestId: "1", method: "listSessions", params: { query: {} } });
    const params = { body: { agent: "scripted" } };
    client.send({ type: "request", requestId: "2", method: "createSession", params });
    client.send({ type: "set_interaction_mode", requestId: "3", enabled: false });
    const frames: ReceivedSocketFrame[] = [];
    for (let answered = 0; answered < 4;) {
      const frame = await client.next();
      if (frame["requestId"] !== undefined) answered += 1;
      frames.push(frame);
    }
    const answerTo = (requestId: string) =>
      frames.find((frame) => frame["requestId"] === requestId);
    expect([answerTo("0"), answerTo("1")]).toMatchObject([{ type: "result" }, { type: "result" }]);
    expect([answerTo("2"), answerTo("3")]).toMatchObject([
      { type: "error", code: "FORBIDDEN" },
      { type: "error", code: "FORBIDDEN" },
    ]);
    const presence = frames.flatMap(
      ({ frame }) => (frame as { clients?: unknown[] })?.clients ?? [],
    );
    expect(presence).toEqual([]);
    await client.leave();
  });

  test("is refused with a separate code after it expired, and is deleted", async () => {
    await using served = await serveEngine();
    const device = await signIn(served);
    const { token } = await createToken(device, "respond", 1);
    await served.clock.advance(DAY_MS - 1);
    expect((await served.call("/api/sessions", { token })).status).toBe(200);
    await served.clock.advance(1);
    const answers = await Promise.all([1, 2].map(() => served.call("/api/sessions", { token })));
    for (const answer of [...answers, await served.call("/api/sessions", { token })]) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: "CREDENTIAL_ENDED" });
    }
    expect(await served.credentials.list()).toHaveLength(3);
  });
});

test("is created from a checked body, after the device's proof", async () => {
  await using served = await serve();
  const { call } = await signIn(served);
  const path = "/api/program-tokens";
  const body = { label: "Job", scope: "read", expiresInDays: 1 };
  const statusOf = async (init: DeviceCall): Promise<number> =>
    (await call(path, { method: "POST", body, ...init })).status;
  expect(await statusOf({})).toBe(201);
  expect(await statusOf({ headers: { "content-type": "text/plain" } })).toBe(415);
  for (const text of ["{", "[]", JSON.stringify({ ...body, surprise: 1 }), ""]) {
    expect(await statusOf({ body: text })).toBe(400);
  }
  expect(await statusOf({ body: `{"padding":"${"x".repeat(256 * 1024)}"}` })).toBe(413);
});

describe("the limits of a program", () => {
  const routes = listRoutes().filter(({ access }) => access === "person" || access === "device");
  const changing = routes.filter(({ method }) => method !== "GET");
  const ofDevices = routes.filter(({ access }) => access === "device");

  test("device-only routes are those of program tokens, notifications, devices and offered folders", () => {
    expect(ofDevices.map(routeKey)).toEqual([
      "GET /api/agents/{agent}/commands",
      "GET /api/files",
      "PATCH /api/devices/{deviceId}",
      "POST /api/pairings",
      "POST /api/program-tokens",
      "GET /api/program-tokens",
      "DELETE /api/program-tokens/{tokenId}",
      "GET /api/notifications",
      "PUT /api/notifications/subscription",
      "PATCH /api/notifications/subscription",
      "DELETE /api/notifications/subscription",
      "POST /api/notifications/test",
    ]);
  });

  async function statusOf(served: Served<unknown>, route: Route, token: string): Promise<number> {
    const { path, ...init } = sampleRequest(route);
    return (await served.call(path, { ...init, token })).status;
  }

  test("[R-13] every route that changes something is 403 with `read`", async ({ annotate }) => {
    await using served = await serve();
    const token = await addProgram(served, "read");
    let tried = 0;
    for (const route of changing) {
      expect([routeKey(route), await statusOf(served, route, token)]).toEqual([
        routeKey(route),
        403,
      ]);
      tried += 1;
    }
    expect(tried).toBe(changing.length);
    expect(served.gateway.callers).toEqual([]);
    await annotate(`${tried} routes that change something, with a token that reads`, "cases");
  });

  test("no program makes, lists or revokes programs, or makes a device, the configured one included", async () => {
    await using served = await serve({ personToken: CONFIGURED });
    const tokens = [
      await addProgram(served, "read"),
      await addProgram(served, "respond"),
      CONFIGURED,
      AGENT_TOKEN,
    ];
    for (const token of tokens) {
      for (const route of ofDevices) expect(await statusOf(served, route, token)).toBe(403);
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test("the same limits apply over a WebSocket", async () => {
    await using served: Served<Gateway> = await serveEngine(undefined, { personToken: CONFIGURED });
    const client = await openWelcomed(served, { token: CONFIGURED });
    client.send({ type: "request", requestId: "1", method: "listProgramTokens" });
    expect(await client.next()).toMatchObject({ type: "error", code: "FORBIDDEN" });
    await client.leave();
  });
});

async function addProgram(
  { credentials }: Pick<Served<unknown>, "credentials">,
  scope: ProgramScope,
): Promise<string> {
  const wanted = { kind: "program", person: "Ada", label: "Job", scope } as const;
  return (await credentials.issue(wanted)).token;
}
