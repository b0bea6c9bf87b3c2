import { createPairingCode } from "@holdpoint/engine";
import { describe, expect, test } from "vitest";

import { openWelcomed } from "../testing/open-socket.ts";
import { readStream } from "../testing/read-stream.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import type { Served } from "../testing/serve.ts";
import { exchange, signIn } from "../testing/test-device.ts";

const MINUTE_MS = 60_000;

async function pair(served: Pick<Served<unknown>, "call" | "server" | "url">): Promise<string> {
  const { call } = await signIn(served);
  const answer = await call("/api/pairings", { method: "POST", body: {} });
  expect(answer.status).toBe(201);
  const { code, expiresAt } = (await answer.json()) as Record<"code" | "expiresAt", string>;
  expect(Date.parse(expiresAt) - Date.UTC(2026, 0, 1)).toBeLessThanOrEqual(5 * MINUTE_MS);
  return code;
}

describe("a pairing code", () => {
  test("signs one more device in for a signed-in device, in any spelling", async () => {
    await using served = await serveEngine();
    const code = await pair(served);
    const answer = await exchange(served, code.toLowerCase().replaceAll("-", " "));
    expect(answer.status).toBe(200);
    expect((await exchange(served, code)).status).toBe(401);
  });

  test("is also in its link if the gateway made it", async () => {
    await using served = await serveEngine();
    const { code, url } = served.server.createPairing();
    expect(url).toMatch(new RegExp(`^${served.url}/#code=${code}(?:&|$)`));
    expect((await exchange(served, code)).status).toBe(200);
  });

  test("is won by one of many simultaneous exchanges", async () => {
    await using served = await serveEngine();
    const code = await pair(served);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(served, code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
  });

  test("is void after five wrong ones, from any number of addresses", async () => {
    await using served = await serveEngine(undefined, { trustProxy: ["127.0.0.1"] });
    const code = await pair(served);
    for (let miss = 0; miss < 5; miss += 1) {
      const wrong = createPairingCode({ next: () => "", secret: () => `guess ${miss}` });
      const answer = await exchange(served, wrong, { "x-forwarded-for": `203.0.113.${miss}` });
      expect(answer.status).toBe(401);
      // The number of remaining tries is only for the person at the terminal.
      expect(await answer.text()).not.toMatch(/tries|left|[0-9] of/);
    }
    expect((await exchange(served, code)).status).toBe(401);
  });

  test("is worthless after five minutes, and at another gateway", async () => {
    await using here = await serveEngine();
    await using there = await serveEngine();
    const code = await pair(here);
    expect((await exchange(there, code)).status).toBe(401);
    await here.clock.advance(5 * MINUTE_MS);
    expect((await exchange(here, code)).status).toBe(401);
  });

  test("is not invalidated by a flood of new ones", async () => {
    await using served = await serveEngine();
    const code = await pair(served);
    const { call } = await signIn(served);
    const flood = await Promise.all(
      Array.from({ length: 50 }, () => call("/api/pairings", { method: "POST", body: {} })),
    );
    expect(flood.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(47);
    expect((await exchange(served, code)).status).toBe(200);
  });
});

describe("devices and agents", () => {
  test("a device can be renamed only by its person, even while its streams reconnect", async () => {
    await using served = await serveEngine();
    const { call, tokenId } = await signIn(served);
    const rename = (id: string, label: string) =>
      call(`/api/devices/${id}`, { method: "PATCH", body: { label } });
    expect((await rename(tokenId, " Desk ")).status).toBe(204);
    expect(await (await call("/api/devices")).json()).toMatchObject({
      items: [{ deviceId: tokenId, label: "Desk", current: true }],
    });
    expect((await call("/api/sessions")).status).toBe(200);
    expect((await rename("tok_agent", "Desk")).status).toBe(404);
    expect((await rename(tokenId, "De\u202Esk")).status).toBe(422);
  });

  test("[R-13] a revoked device loses its requests, its event stream and its WebSocket at once", async () => {
    await using served = await serveEngine();
    const { token, tokenId, call, prove } = await signIn(served);
    const stream = readStream(await call("/api/events"));
    await stream.take(1);
    const socket = await openWelcomed(served, { token, proof: await prove({ path: "/api/ws" }) });
    const path = `/api/devices/${tokenId}`;
    expect((await call(path, { method: "DELETE" })).status).toBe(204);
    expect((await stream.take(100)).at(-1)).toEqual({
      data: { type: "closing", reason: "revoked" },
    });
    await socket.closed;
    expect((await call("/api/sessions")).status).toBe(401);
  });

  test.each(["Holdpoint", "Hоldpoint", "You", "Ada", "Gate\u200Bway"])(
    "an agent's token cannot be labelled %j",
    async (label) => {
      await using served = await serveEngine();
      for (const path of ["/api/agent-tokens", "/api/auth/agent-tokens"]) {
        const answer = await served.call(path, { method: "POST", body: { label } });
        expect(answer.status).toBe(422);
        expect(await answer.json()).toMatchObject({ fieldErrors: { label: expect.any(String) } });
      }
      expect(await (await served.call("/api/sessions")).json()).toEqual({ items: [] });
    },
  );

  test("the command line gets 32 tokens for agents, and no more until one is revoked", async () => {
    await using served = await serveEngine();
    const issue = async (): Promise<string> =>
      (await served.server.issueAgentToken("Codex")).tokenId;
    // One more is the test's own.
    const all = await Promise.allSettled(Array.from({ length: 40 }, issue));
    const issued = all.filter((each) => each.status === "fulfilled").map(({ value }) => value);
    expect(issued).toHaveLength(31);
    await expect(issue()).rejects.toThrow(/32 tokens.*Devices and programs/);
    await served.credentials.revoke(issued[0]!);
    await expect(issue()).resolves.toMatch(/^tok_/);
  });
});
