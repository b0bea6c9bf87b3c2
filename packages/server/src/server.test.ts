import { once } from "node:events";
import { connect, createServer as createNetServer } from "node:net";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import type { ServerOptions } from "./server-options.ts";
import { createServer } from "./server.ts";
import { createFakeGateway } from "./testing/fake-gateway.ts";
import { readStream } from "./testing/read-stream.ts";
import { listRoutes, serve } from "./testing/serve.ts";
import { signIn } from "./testing/test-device.ts";

function createTestServer(options: Partial<ServerOptions> = {}) {
  return createServer({
    gateway: createFakeGateway(),
    clock: new SimulatedClock(),
    version: "1.2.3",
    ...options,
  });
}

test("a launch code becomes a device's token that opens a session's stream", async () => {
  await using served = await serve();
  const { call, tokenId } = await signIn(served, "Laptop");
  const body = { agent: "demo" };
  const created = await call("/api/sessions", { method: "POST", body });
  const { sessionId } = (await created.json()) as { sessionId: string };
  served.gateway.append(sessionId, { type: "turn_started", at: "2026-01-02T03:04:05.000Z" });
  const stream = readStream(await call(`/api/sessions/${sessionId}/events`));
  expect(await stream.take(1)).toMatchObject([{ id: "e1.1", data: { type: "turn_started" } }]);
  expect(served.gateway.callers.at(-1)).toEqual({
    principal: "person",
    person: "Owner",
    role: "owner",
    client: "Laptop",
    tokenId,
    signedIn: { how: "launch_code", at: "2026-01-01T00:00:00.000Z" },
  });
  await stream.leave();
});

describe("listening", () => {
  test("any free port can be used", async () => {
    await using server = createTestServer();
    const { url, host, port } = await server.listen({ host: "127.0.0.1", port: 0 });
    expect({ url, host }).toEqual({ url: `http://127.0.0.1:${port}`, host: "127.0.0.1" });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("a busy port is the system's own error, and another one may be tried", async () => {
    const other = createNetServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await using server = createTestServer();
    await expect(server.listen({ host: "127.0.0.1", port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    expect(() => server.createLaunchUrl()).toThrow("needs a server that listens");
    const free = await server.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`${free.url}/healthz`)).status).toBe(200);
    other.close();
  });

  const behindProxy = { publicUrl: "https://hold.example", trustProxy: ["192.0.2.0/24"] };
  test.each<[string, Partial<ServerOptions>, string]>([
    ["0.0.0.0", {}, "neither TLS nor a proxy"],
    ["::", {}, "neither TLS nor a proxy"],
    ["192.0.2.7", {}, "neither TLS nor a proxy"],
    [
      "0.0.0.0",
      { publicUrl: behindProxy.publicUrl },
      "an https public URL that anyone could serve",
    ],
    ["0.0.0.0", { trustProxy: behindProxy.trustProxy }, "a proxy without an https public URL"],
  ])("%s is refused with %o: %s", async (host, options) => {
    await using server = createTestServer(options);
    await expect(server.listen({ host, port: 0 })).rejects.toMatchObject({ code: "BIND_REFUSED" });
  });

  test("a public bind behind a trusted proxy answers only by its public name, and on loopback", async () => {
    await using server = createTestServer(behindProxy);
    const { url, port } = await server.listen({ host: "0.0.0.0", port: 0 });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(server.createLaunchUrl()).toMatch(/^https:\/\/hold\.example\/#code=/);
  });
});

describe("options", () => {
  test("a public URL that would let answers cross the network unencrypted is refused", () => {
    const create = () => createTestServer({ publicUrl: "http://hold.example" });
    expect(create).toThrow("in the clear");
    expect(() => createTestServer({ publicUrl: "http://localhost:8080" })).not.toThrow();
  });

  test.each(["short", "x".repeat(31), "x".repeat(513), `${"x".repeat(40)} y`, "ü".repeat(40)])(
    "a token like %s is refused, without being quoted",
    (personToken) => {
      const create = () => createTestServer({ personToken });
      expect(create).toThrow("The configured token must have 32 to 512");
      expect(create).not.toThrow(personToken);
    },
  );

  test.each([
    "nonsense",
    "ftp://hold.example",
    "https://hold.example/a//b",
    "https://hold.example/path?query",
    "https://hold.example/index.html",
    "https://hold.example/a%2Fb",
    "https://u:p@hold.example",
  ])("the public URL %s is refused", (publicUrl) => {
    expect(() => createTestServer({ publicUrl })).toThrow("The public URL must look like");
  });

  test("a public URL cannot have a path that the gateway itself uses", () => {
    const first = listRoutes().map(({ path }) => path.split("/")[1] ?? "");
    for (const segment of new Set([...first, "assets", "s", "i", "pair", "signed-in"])) {
      const publicUrl = `https://hold.example/${segment}/more`;
      expect(() => createTestServer({ publicUrl })).toThrow("The public URL");
    }
    const publicUrl = "https://hold.example/team-a/apiary";
    expect(() => createTestServer({ publicUrl })).not.toThrow();
  });
});

describe("closing", () => {
  test("waits for running requests, and accepts no more", async () => {
    const gateway = createFakeGateway();
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const getSession = gateway.getSession.bind(gateway);
    gateway.getSession = async (caller, sessionId) => {
      entered.resolve();
      await gate.promise;
      return getSession(caller, sessionId);
    };
    const served = await serve({ gateway });
    gateway.addSession("ses_1");
    const running = served.call("/api/sessions/ses_1");
    await entered.promise;
    const closed = served.server.close();
    await expect(fetch(`${served.url}/healthz`)).rejects.toThrow("fetch failed");
    gate.resolve();
    expect((await running).status).toBe(200);
    await closed;
    expect(served.clock.timerCount).toBe(0);
  });

  test("does not wait for connections that never carried a request", async () => {
    const served = await serve();
    const socket = connect(served.port, "127.0.0.1");
    await once(socket, "connect");
    await served.call("/healthz");
    await served.server.close();
    await once(socket.resume(), "close");
    expect(served.clock.timerCount).toBe(0);
  });

  test("does not wait forever", async () => {
    const gateway = createFakeGateway();
    const entered = Promise.withResolvers<void>();
    gateway.listAgents = () => {
      entered.resolve();
      return new Promise(() => {});
    };
    const served = await serve({ gateway });
    const running = served.call("/api/agents");
    await entered.promise;
    const closed = served.server.close();
    const outcome = running.catch((error: unknown) => error);
    await served.clock.advance(2000);
    await closed;
    expect(await outcome).toBeInstanceOf(TypeError);
  });

  test("twice has the effect of once", async () => {
    const served = await serve();
    await Promise.all([served.server.close(), served.server.close()]);
    await expect(served.server.close()).resolves.toBeUndefined();
  });
});
