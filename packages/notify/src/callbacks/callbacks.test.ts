import { createMemoryStore } from "@holdpoint/engine";
import { aDeploy, SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import { MAX_TRIES } from "../lib/backoff.ts";
import { createMemoryCallbackStore } from "../memory-callback-store.ts";
import { isSigned, openCallbacks, SECRET, startReceiver } from "../testing/callback-scene.ts";

describe("a callback", () => {
  test("[R-19] says once, signed, that the ask is over, without the answer", async () => {
    const { received, host, url } = await startReceiver();
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const ask = await scene.ask(url);
    expect(ask.callback).toEqual({ state: "waiting", tries: 0 });
    await scene.answer(ask, { action: "deny", reason: "Not on a Friday." });
    await scene.callbackIs(ask, { state: "delivered", tries: 1 });
    await scene.clock.advance(24 * 3_600_000);
    expect(received).toHaveLength(1);
    const [{ headers, body }] = received as [(typeof received)[0]];
    expect(isSigned({ headers, body })).toBe(true);
    expect(headers["webhook-id"]).toBe(`${ask.interactionId}.settled`);
    expect(JSON.parse(body)).toEqual({
      type: "ask.settled",
      data: { interactionId: ask.interactionId, kind: "approval", status: "answered" },
    });
    expect(scene.errors).toEqual([]);
  });

  test("[R-19] is also sent when an ask expires and when it is withdrawn", async () => {
    const { received, host, url } = await startReceiver();
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const expiring = await scene.ask(url, { timeoutMs: 5000 });
    const taken = await scene.ask(url, { prompt: "Another?" });
    await scene.gateway.withdrawAsk(scene.caller, taken.interactionId);
    await scene.callbackIs(taken, { state: "delivered" });
    await scene.clock.advance(5000);
    await scene.callbackIs(expiring, { state: "delivered" });
    const told = received.map(({ body }) => (JSON.parse(body) as { data: object }).data);
    expect(told).toEqual([
      { interactionId: taken.interactionId, kind: "approval", status: "withdrawn" },
      { interactionId: expiring.interactionId, kind: "approval", status: "expired" },
    ]);
  });

  test("[R-19] contains no form value, sensitive or not", async () => {
    const { received, host, url } = await startReceiver();
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const field = (changes: object) => ({ type: "string", ...changes });
    const properties = { user: field({}), password: field({ sensitive: true }) };
    const ask = await scene.gateway.createAsk(scene.caller, {
      kind: "form",
      label: "login.sh",
      prompt: "Sign in",
      inputSchema: { type: "object", properties },
      callback: { url },
    });
    await scene.answer(ask, { action: "submit", values: { user: "ada", password: "s3cret" } });
    await scene.callbackIs(ask, { state: "delivered" });
    expect(received.map(({ body }) => body).join()).not.toMatch(/ada|s3cret|Sign|login/u);
    // The program fetches them.
    expect((await scene.read(ask)).response?.values).toMatchObject({ password: "s3cret" });
  });

  test("[R-4] is retried after a 500 with the same id and bytes and a new time, until it is accepted", async () => {
    const { received, host, url } = await startReceiver((response, count) => {
      response.writeHead(count < 3 ? 500 : 200).end();
    });
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const ask = await scene.ask(url);
    await scene.answer(ask, { action: "approve" });
    // The answer that the program fetches in between does not change the message.
    await scene.callbackIs(ask, { problem: expect.stringContaining("500") });
    await scene.tryAfter(ask, 1);
    await scene.tryAfter(ask, 2);
    await scene.callbackIs(ask, { state: "delivered", tries: 3 });
    expect((await scene.read(ask)).callback).not.toHaveProperty("problem");
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
    expect(received.every(isSigned)).toBe(true);
  });

  test("is given up after the last try, with the reason", async () => {
    const { received, host, url } = await startReceiver((response) =>
      response.writeHead(503).end(),
    );
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const ask = await scene.ask(url);
    await scene.answer(ask, { action: "approve" });
    for (let tries = 1; tries < MAX_TRIES; tries += 1) {
      await scene.tryAfter(ask, tries);
    }
    await scene.callbackIs(ask, { state: "failed", problem: expect.stringContaining("503") });
    await scene.clock.advance(24 * 3_600_000);
    expect(received).toHaveLength(MAX_TRIES);
  });

  test("follows no redirect, not even to an allowed host, and is not sent again", async () => {
    const target = await startReceiver();
    const { received, host, url } = await startReceiver((response) => {
      response.writeHead(307, { location: target.url }).end();
    });
    const hosts = [host, target.host].map((each) => ({ host: each, secret: SECRET }));
    const scene = await openCallbacks(hosts);
    const ask = await scene.ask(url);
    await scene.answer(ask, { action: "approve" });
    await scene.callbackIs(ask, { state: "failed", problem: expect.stringContaining("307") });
    await scene.clock.advance(3_600_000);
    expect([received.length, target.received.length]).toEqual([1, 0]);
  });

  test("counts as delivered when the response's head arrives, even if its body never ends", async () => {
    const { host, url } = await startReceiver((response) => {
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(10_000), () => setImmediate(more));
      };
      more();
    });
    const scene = await openCallbacks([{ host, secret: SECRET }]);
    const ask = await scene.ask(url);
    await scene.answer(ask, { action: "approve" });
    await scene.callbackIs(ask, { state: "delivered", tries: 1 });
    expect(scene.errors).toEqual([]);
  });

  test("[R-18] does not delay other hosts without a response, and ends with the gateway", async () => {
    const silent = await startReceiver(() => undefined);
    const { host, url } = await startReceiver();
    const hosts = [silent.host, host].map((each) => ({ host: each, secret: SECRET }));
    const scene = await openCallbacks(hosts);
    const slow = await Promise.all(
      Array.from({ length: 6 }, (_, index) => scene.ask(silent.url, { prompt: `${index}?` })),
    );
    const quick = await scene.ask(url);
    for (const each of [...slow, quick]) await scene.answer(each, { action: "deny" });
    await scene.callbackIs(quick, { state: "delivered" });
    await scene.until(() => expect(silent.received).toHaveLength(4));
    await scene.clock.advance(10_000);
    await scene.callbackIs(slow[0]!, { problem: expect.stringContaining("no answer") });
    await scene.until(() => expect(silent.received).toHaveLength(6));
    await scene.close();
    expect(scene.clock.timerCount).toBe(0);
  });
});

describe("[R-4] after a restart", () => {
  test("an ask that ended while no gateway ran is reported", async () => {
    const { received, host, url } = await startReceiver();
    const first = await openCallbacks([{ host, secret: SECRET }]);
    const ask = await first.ask(url, { timeoutMs: 60_000 });
    await first.close();
    await first.clock.advance(120_000);
    expect(received).toEqual([]);
    const second = await first.next();
    await second.until(() => expect(received).toHaveLength(1));
    expect(received[0]!.body).toContain('"expired"');
    expect(received[0]!.body).toContain(ask.interactionId);
  });

  test("a callback that was sent but not recorded is sent again, with the same id and bytes", async () => {
    const { received, host, url } = await startReceiver();
    const callbackStore = createMemoryCallbackStore();
    const kept = { ...callbackStore };
    const first = await openCallbacks([{ host, secret: SECRET }], { callbackStore: kept });
    const ask = await first.ask(url);
    // As if the process had been killed before the row of the delivery.
    kept.put = async (row) => {
      if (row.state === "delivered") throw new Error("Killed.");
      await callbackStore.put(row);
    };
    await first.answer(ask, { action: "approve" });
    await first.until(() => expect(first.errors).toHaveLength(1));
    await first.close();
    kept.put = (row) => callbackStore.put(row);
    const second = await first.next();
    await second.until(() => expect(received).toHaveLength(2));
    expect(received[1]!.body).toBe(received[0]!.body);
    expect(received[1]!.headers["webhook-id"]).toBe(received[0]!.headers["webhook-id"]);
    await second.until(async () => expect(await callbackStore.listOpen()).toEqual([]));
    await second.close();
    const third = await first.next();
    await third.clock.advance(3_600_000);
    expect(received).toHaveLength(2);
  });

  test("[R-4] a retry is sent at its time and not before", async () => {
    const { received, host, url } = await startReceiver((response, count) => {
      response.writeHead(count === 1 ? 503 : 204).end();
    });
    const callbackStore = createMemoryCallbackStore();
    const first = await openCallbacks([{ host, secret: SECRET }], { callbackStore });
    const ask = await first.ask(url);
    await first.answer(ask, { action: "deny" });
    await first.callbackIs(ask, { tries: 1, problem: expect.stringContaining("503") });
    await first.close();
    const second = await first.next();
    await second.clock.advance(1000);
    expect(received).toHaveLength(1);
    await second.clock.advance(1000);
    await second.until(async () => expect(await callbackStore.listOpen()).toEqual([]));
    expect(received).toHaveLength(2);
  });

  test("a row whose ask was never written is removed without a callback", async () => {
    const { received, host, url } = await startReceiver();
    const callbackStore = createMemoryCallbackStore();
    const times = { createdAtMs: 0, changedAtMs: 0 };
    const row = { interactionId: "int_lost", url, state: "waiting", tries: 0, ...times } as const;
    await callbackStore.put(row);
    const scene = await openCallbacks([{ host, secret: SECRET }], { callbackStore });
    await scene.until(async () => expect(await callbackStore.find("int_lost")).toBeUndefined());
    expect(received).toEqual([]);
  });

  test("nothing goes to a host that the config no longer allows", async () => {
    const { received, host, url } = await startReceiver();
    const parts = {
      callbackStore: createMemoryCallbackStore(),
      store: createMemoryStore(),
      clock: new SimulatedClock(),
    };
    const first = await openCallbacks([{ host, secret: SECRET }], parts);
    const ask = await first.ask(url, { timeoutMs: 1000 });
    await first.close();
    await first.clock.advance(1000);
    const second = await openCallbacks([], parts);
    await second.until(async () =>
      expect(await parts.callbackStore.find(ask.interactionId)).toMatchObject({ state: "failed" }),
    );
    expect(received).toEqual([]);
  });
});

test("[R-20] an ask with a callback to another host is refused, and reaches no one", async () => {
  const scene = await openCallbacks([{ host: "ci.example.org", secret: SECRET }]);
  for (const url of [
    "https://other.example.org/",
    "https://ci.example.org:8443/",
    "https://ci.example.org@other.example.org/",
    "https://ada@ci.example.org/",
    "http://ci.example.org/",
    "http://169.254.169.254/latest/meta-data",
  ]) {
    const asking = scene.ask(url);
    await expect(asking).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      extras: { fieldErrors: { "callback.url": expect.any(String) } },
    });
  }
  expect(await scene.interactions("pending")).toEqual([]);
});

test("[R-5] an idempotency key with another callback is refused, and with the same one has a single callback", async () => {
  const { received, host, url } = await startReceiver();
  const scene = await openCallbacks([{ host, secret: SECRET }]);
  const keyed = { idempotencyKey: "deploy-1.4.2" };
  const ask = await scene.ask(url, keyed);
  expect(await scene.ask(url, keyed)).toEqual(ask);
  await expect(scene.ask(`${url}?x`, keyed)).rejects.toMatchObject({ code: "KEY_REUSED" });
  const plain = scene.gateway.createAsk(scene.caller, aDeploy(keyed));
  await expect(plain).rejects.toMatchObject({ code: "KEY_REUSED" });
  await scene.answer(ask, { action: "approve" });
  await scene.callbackIs(ask, { state: "delivered" });
  expect(received).toHaveLength(1);
});

test("[R-9] a callback is stored before its ask", async () => {
  const callbackStore = createMemoryCallbackStore();
  const store = createMemoryStore();
  const append = store.append.bind(store);
  const kept: (string | undefined)[] = [];
  store.append = async (batch) => {
    for (const { row } of batch.interactions ?? []) {
      kept.push((await callbackStore.find(row.interaction.interactionId))?.state);
    }
    return append(batch);
  };
  const { host, url } = await startReceiver();
  const scene = await openCallbacks([{ host, secret: SECRET }], { callbackStore, store });
  await scene.ask(url);
  expect(kept).toEqual(["waiting"]);
});

test("[R-15] a callback is hidden from other programs, and pages see only its host", async () => {
  const { host, url: place } = await startReceiver();
  const url = `${place}/a-word-of-the-address`;
  const scene = await openCallbacks([{ host, secret: SECRET }]);
  const ask = await scene.ask(url);
  const other = await scene.program("Other");
  const seeing = scene.gateway.getAsk(other.caller, ask.interactionId, {});
  await expect(seeing).rejects.toMatchObject({ code: "NOT_FOUND" });
  const pending = await scene.interactions("pending");
  expect(pending).toMatchObject([{ callbackHost: host }]);
  const seen = JSON.stringify([pending, await scene.events(scene.sessionId)]);
  expect(seen).not.toContain("a-word-of-the-address");
});
