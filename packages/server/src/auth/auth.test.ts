import { type Gateway, StoreError } from "@holdpoint/engine";
import { describe, expect, test } from "vitest";

import type { FakeGateway } from "../testing/fake-gateway.ts";
import { openWelcomed } from "../testing/open-socket.ts";
import { readStream } from "../testing/read-stream.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { AGENT_TOKEN, PERSON_TOKEN, serve, type Served } from "../testing/serve.ts";
import { codeOf, exchange, signIn, type TestDevice } from "../testing/test-device.ts";
import { waitFor } from "../testing/wait-for.ts";

const MINUTE_MS = 60_000;

async function listed(
  { call }: Pick<TestDevice, "call">,
  list: "agent-tokens" | "devices",
): Promise<object[]> {
  return ((await (await call(`/api/${list}`)).json()) as { items: object[] }).items;
}

describe("launch codes", () => {
  test("the URL has 128 random bits in its fragment, and no secrets elsewhere", async () => {
    await using served = await serve();
    const url = new URL(served.server.createLaunchUrl());
    expect(url.hash).toMatch(/^#code=[\w-]{22}&gateway=[\w-]{43}$/);
    expect(url.href.replace(url.hash, "")).toBe(`${served.url}/`);
    expect(served.server.createLaunchUrl()).not.toBe(url.href);
  });

  test("the URL uses the public URL if there is one", async () => {
    await using served = await serve({ publicUrl: "https://hold.example" });
    expect(served.server.createLaunchUrl()).toMatch(/^https:\/\/hold\.example\/#code=/);
  });

  test("a code works once, however many requests come at the same time", async () => {
    await using served = await serve();
    const code = codeOf(served.server.createLaunchUrl());
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(served, code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
  });

  test("a code expires after ten minutes", async () => {
    await using served = await serve();
    const [late, inTime] = [served.server.createLaunchUrl(), served.server.createLaunchUrl()];
    await served.clock.advance(10 * MINUTE_MS - 1);
    expect((await exchange(served, codeOf(inTime))).status).toBe(200);
    await served.clock.advance(1);
    expect((await exchange(served, codeOf(late))).status).toBe(401);
  });

  test("new codes never invalidate an unused one", async () => {
    await using served = await serve();
    const urls = Array.from({ length: 64 }, () => served.server.createLaunchUrl());
    for (let more = 0; more < 70; more += 1) {
      expect(() => served.server.createLaunchUrl()).toThrow("64 unused launch links");
    }
    expect((await exchange(served, codeOf(urls[0]!))).status).toBe(200);
    const next = codeOf(served.server.createLaunchUrl());
    expect((await exchange(served, next)).status).toBe(200);
  });

  test("no URL is made by a server that does not listen", async () => {
    await using served = await serve();
    await served.server.close();
    expect(() => served.server.createLaunchUrl()).toThrow("needs a server that listens");
  });
});

describe("tokens", () => {
  test("a device's token is stored only as its hash, with the thumbprint of its key", async () => {
    await using served = await serveEngine(undefined, { personName: "Ada" });
    const { token, tokenId, call } = await signIn(served, "Laptop");
    expect(token).toMatch(/^[\w-]{43}$/);
    const stored = await served.credentials.list();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(stored.find((credential) => credential.tokenId === tokenId)).toMatchObject({
      kind: "device",
      person: "Ada",
      label: "Laptop",
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      keyThumbprint: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect((await call("/api/sessions")).status).toBe(200);
  });

  test("the lists show which device is current and when each was used, and no token", async () => {
    await using served = await serveEngine(undefined, { personName: "Ada" });
    const device = await signIn(served);
    await served.clock.advance(1000);
    const createdAt = "2026-01-01T00:00:00.000Z";
    expect(await listed(device, "devices")).toEqual([
      {
        deviceId: device.tokenId,
        label: "Laptop",
        createdAt,
        lastUsedAt: "2026-01-01T00:00:01.000Z",
        current: true,
      },
    ]);
    expect(await listed(device, "agent-tokens")).toEqual([
      { tokenId: "tok_agent", label: "agent's device", createdAt },
    ]);
  });

  test("the device of a WebSocket is the current one in its list", async () => {
    await using served = await serveEngine();
    const { token, tokenId, prove } = await signIn(served);
    const proof = await prove({ path: "/api/ws" });
    const client = await openWelcomed(served, { token, proof });
    client.send({ type: "request", requestId: "1", method: "listDevices" });
    expect(await client.next()).toMatchObject({
      value: { items: [{ deviceId: tokenId, current: true }] },
    });
    await client.leave();
  });

  test("a token's use is recorded once a minute", async () => {
    await using served = await serveEngine();
    const lastUse = async (): Promise<number | undefined> =>
      (await served.credentials.list()).find(({ tokenId }) => tokenId === "tok_person")
        ?.lastUsedAtMs;
    await served.call("/api/sessions");
    const first = await lastUse();
    await served.clock.advance(MINUTE_MS - 1);
    await served.call("/api/sessions");
    expect(await lastUse()).toBe(first);
    await served.clock.advance(1);
    await served.call("/api/sessions");
    expect(await lastUse()).toBe(first! + MINUTE_MS);
  });

  test("a token whose use cannot be stored, as on a full disk, can still read", async () => {
    await using served = await serveEngine();
    const { call } = await signIn(served);
    await served.clock.advance(MINUTE_MS);
    const full = Promise.reject(new StoreError("STORE_FAILED", "The disk is full."));
    full.catch(() => undefined);
    Object.assign(served.credentials, { touch: () => full });
    expect((await call("/api/sessions")).status).toBe(200);
    expect((await served.call("/api/sessions")).status).toBe(200);
  });

  test("[R-13] a revoked device loses its streams, and no others, and is unknown from then on", async () => {
    await using served = await serveEngine();
    const { call, tokenId } = await signIn(served);
    const theirs = readStream(await call("/api/events"));
    const other = readStream(await served.call("/api/events"));
    await theirs.take(1);
    await other.take(1);

    // The device stands for another person than the test's own token.
    const path = `/api/devices/${tokenId}`;
    expect((await served.call(path, { method: "DELETE" })).status).toBe(404);
    expect((await call(path, { method: "DELETE" })).status).toBe(204);
    const rest = await theirs.take(100);
    expect(rest.at(-1)).toEqual({ data: { type: "closing", reason: "revoked" } });
    expect(await (await call("/api/sessions")).json()).toMatchObject({ code: "UNAUTHENTICATED" });
    const body = { agent: "scripted" };
    await served.call("/api/sessions", { method: "POST", body });
    await waitFor(async () => {
      expect(await other.take(1)).toMatchObject([{ data: { type: "session_changed" } }]);
    });
    await other.leave();
  });

  test("an agent's token can be revoked by a person", async () => {
    await using served = await serveEngine();
    const init = { method: "DELETE" };
    expect((await served.call("/api/agent-tokens/tok_agent", init)).status).toBe(204);
    expect((await served.call("/api/agent-tokens/tok_agent", init)).status).toBe(404);
    expect((await served.call("/api/sessions", { token: AGENT_TOKEN })).status).toBe(401);
  });

  test("an agent's token is created with a new session", async () => {
    await using served = await serveEngine();
    const init = { method: "POST", body: { label: "Codex" } };
    const issued = await served.call("/api/auth/agent-tokens", init);
    expect(issued.status).toBe(201);
    const { token, tokenId, sessionId, url } = (await issued.json()) as Record<string, string>;
    expect(url).toBe(`${served.url}/mcp`);
    const items = await listed(served, "agent-tokens");
    expect(items).toContainEqual(expect.objectContaining({ tokenId, sessionId, label: "Codex" }));
    expect(JSON.stringify(items)).not.toContain(token);
    expect((await served.call("/mcp", { token: token! })).status).toBe(400);
    expect((await served.call("/api/sessions", { token: token! })).status).toBe(403);
  });

  test.each<[string, (served: Served<Gateway>, sessionId: string) => Promise<unknown>]>([
    ["HTTP", (served, id) => served.call(`/api/sessions/${id}`, { method: "DELETE" })],
    [
      "WebSocket",
      async (served, sessionId) => {
        const client = await openWelcomed(served);
        const params = { sessionId };
        client.send({ type: "request", requestId: "1", method: "deleteSession", params });
        expect(await client.next()).toMatchObject({ type: "result" });
        await client.leave();
      },
    ],
    [
      "the gateway itself",
      ({ gateway }, sessionId) =>
        gateway.deleteSession({ principal: "person", person: "Ada", client: "host" }, sessionId),
    ],
  ])("an agent's token dies with its session, deleted over %s", async (_, deleteSession) => {
    await using served = await serveEngine();
    const body = { label: "Codex" };
    const issued = await served.call("/api/auth/agent-tokens", { method: "POST", body });
    const { token, tokenId, sessionId } = (await issued.json()) as Record<string, string>;
    await deleteSession(served, sessionId!);
    expect((await served.call("/mcp", { token: token! })).status).toBe(401);
    const left = await served.credentials.list();
    expect(left).toHaveLength(2);
    expect(left).not.toContainEqual(expect.objectContaining({ tokenId }));
  });

  test("the configured token is the person's, and is in no list", async () => {
    const personToken = "configured-token-of-at-least-32-characters";
    await using served = await serve({ personToken, personName: "Ada" });
    await served.call("/api/sessions", { token: personToken });
    expect(served.gateway.callers).toEqual([
      {
        principal: "person",
        person: "Ada",
        role: "owner",
        signedIn: { how: "configured_token" },
        client: "Configured token",
        tokenId: "configured",
        scope: "respond",
      },
    ]);
    await using engine = await serveEngine(undefined, { personToken, personName: "Ada" });
    const { tokenId } = await signIn(engine);
    const answer = await engine.call("/api/devices", { token: personToken });
    expect(await answer.json()).toMatchObject({ items: [{ deviceId: tokenId, current: false }] });
  });
});

describe("wrong credentials", () => {
  async function guess(served: Served<FakeGateway>, count: number, offset = 0): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const token = `wrong-${offset + index}`;
      statuses.push((await served.call("/api/sessions", { token })).status);
    }
    return statuses;
  }

  test("block the address after ten different ones, loopback included, for unknown ones", async () => {
    await using served = await serve();
    expect(await guess(served, 10)).toEqual(Array(10).fill(401));
    const answer = await served.call("/api/sessions", { token: "wrong-again" });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(await answer.json()).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: MINUTE_MS });
    expect((await exchange(served, "wrong-code")).status).toBe(429);
    await served.clock.advance(MINUTE_MS);
    expect((await exchange(served, "wrong-code")).status).toBe(401);
  });

  test("never block a right one: reading, denying, stopping and signing in still work under a flood", async () => {
    const personToken = "configured-token-of-at-least-32-characters";
    await using served = await serve({ personToken });
    served.gateway.addSession("ses_1");
    const tools = served.server.openToolAccess("ses_1");
    const post = (path: string, token: string, body: object = {}) =>
      served.call(path, { method: "POST", body, token });
    for (let round = 0; round < 5; round += 1) {
      await guess(served, 40, round * 40);
      for (const token of [PERSON_TOKEN, personToken]) {
        expect((await served.call("/api/sessions", { token })).status).toBe(200);
        const deny = await post("/api/interactions/int_1/response", token, { action: "deny" });
        expect(deny.status).toBe(200);
        expect((await post("/api/sessions/ses_1/stop", token)).status).toBe(202);
      }
      for (const token of [AGENT_TOKEN, tools.token]) {
        const { status } = await post("/mcp", token, { jsonrpc: "2.0", id: 1, method: "ping" });
        expect([401, 429]).not.toContain(status);
      }
      await (await openWelcomed(served)).leave();
      const code = codeOf(served.server.createLaunchUrl());
      expect((await exchange(served, code)).status).toBe(200);
      expect(await guess(served, 1)).toEqual([429]);
    }
  });

  test("are counted together for codes and tokens", async () => {
    await using served = await serve();
    for (let index = 0; index < 9; index += 1) await exchange(served, `wrong-code-${index}`);
    expect(await guess(served, 2)).toEqual([401, 429]);
  });

  test("block twice as long each time, up to fifteen minutes", async () => {
    await using served = await serve();
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      await guess(served, 10, minutes * 100);
      await served.clock.advance(minutes * MINUTE_MS - 1);
      expect(await guess(served, 1)).toEqual([429]);
      await served.clock.advance(1);
      expect(await guess(served, 1, minutes * 100 + 50)).toEqual([401]);
    }
  });

  test("count once when a page repeats one dead token", async () => {
    await using served = await serve();
    for (let index = 0; index < 30; index += 1) {
      expect((await served.call("/api/sessions", { token: "dead" })).status).toBe(401);
    }
    expect(await guess(served, 1)).toEqual([401]);
  });

  test("are forgotten after a while", async () => {
    await using served = await serve();
    await guess(served, 9);
    await served.clock.advance(MINUTE_MS);
    expect(await guess(served, 9, 50)).toEqual(Array(9).fill(401));
  });
});
