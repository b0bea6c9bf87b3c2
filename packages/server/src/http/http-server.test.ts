import { once } from "node:events";
import { request } from "node:https";

import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { createCertificate } from "../testing/create-certificate.ts";
import { AGENT_TOKEN, PERSON_TOKEN, serve } from "../testing/serve.ts";
import { mayUseHttp } from "./http-server.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

describe("TLS", () => {
  const tls = createCertificate({ hosts: ["localhost", "desk.example"] });

  function get(port: number, path: string, headers: Record<string, string>): Promise<number> {
    const options = {
      host: "localhost",
      port,
      path,
      headers,
      ca: tls.cert,
      servername: "localhost",
      agent: false,
    };
    return new Promise((resolve, reject) => {
      request(options, (answer) => resolve(answer.resume().statusCode!))
        .on("error", reject)
        .end();
    });
  }

  test("the server speaks https, as the hosts of its certificate, and no http", async () => {
    await using served = await serve({ tls });
    const { port, url } = served;
    expect(url).toBe(`https://localhost:${port}`);
    expect(served.server.createLaunchUrl()).toContain(`${url}/#code=`);
    const authorization = `Bearer ${PERSON_TOKEN}`;
    const asked = (host: string, origin: string) =>
      get(port, "/api/agents", { host: `${host}:${port}`, origin, authorization });
    expect(await asked("desk.example", `https://desk.example:${port}`)).toBe(200);
    expect(await asked("desk.example", `http://desk.example:${port}`)).toBe(403);
    expect(await asked("evil.example", `https://evil.example:${port}`)).toBe(421);
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("a WebSocket is encrypted as well", async () => {
    await using served = await serve({ tls });
    const socket = new WebSocket(`wss://localhost:${served.port}/api/ws`, { ca: tls.cert });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "hello", token: PERSON_TOKEN, clientId: "test" }));
    const [frame] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(frame.toString())).toMatchObject({ type: "welcome" });
    socket.close();
    await once(socket, "close");
  });

  test("the gateway's own agents call its tools on a loopback port that serves nothing else", async () => {
    await using served = await serve({ tls });
    await using access = served.server.openToolAccess("ses_1");
    expect(access.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const headers = { authorization: `Bearer ${access.token}` };
    // A bad request, because it names no MCP session: the credential was accepted.
    expect((await fetch(access.url, { headers })).status).toBe(400);
    expect((await fetch(access.url, { headers: { authorization: "Bearer x" } })).status).toBe(401);
    const person = { authorization: `Bearer ${PERSON_TOKEN}` };
    for (const path of ["/api/agents", "/api/auth/exchange", "/healthz", "/", "/openapi.json"]) {
      const answer = await fetch(new URL(path, access.url), { headers: person });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  test("an expired certificate is refused before anything listens", async () => {
    const expired = createCertificate({ to: new Date("2025-06-01T00:00:00Z") });
    await expect(serve({ tls: expired })).rejects.toMatchObject({ code: "BAD_CONFIG" });
  });
});

describe("clients behind proxies", () => {
  /** Wrong tokens, each with another forged address, until one is refused as too many. */
  async function guessUntilBlocked(call: (index: number) => Promise<Response>): Promise<number> {
    for (let index = 0; index < 30; index += 1) {
      if ((await call(index)).status === 429) return index;
    }
    return Infinity;
  }

  test("a client cannot get around the limit of wrong tokens with a forged header", async () => {
    await using served = await serve();
    const guess = (index: number) =>
      served.call("/api/agents", {
        token: `wrong-${index}`,
        headers: { "x-forwarded-for": `203.0.113.${index}`, "x-real-ip": `203.0.113.${index}` },
      });
    expect(await guessUntilBlocked(guess)).toBe(10);
  });

  test("a client cannot get around it through a trusted proxy, with addresses to the left of its address", async () => {
    await using served = await serve({ trustProxy: ["127.0.0.1"] });
    const guess = (index: number) =>
      served.call("/api/agents", {
        token: `wrong-${index}`,
        headers: { "x-forwarded-for": `198.51.100.${index}, 203.0.113.1` },
      });
    expect(await guessUntilBlocked(guess)).toBe(10);
    const other = { token: "another", headers: { "x-forwarded-for": "203.0.113.2" } };
    expect((await served.call("/api/agents", other)).status).toBe(401);
  });

  test("the log has the client's address and protocol, as far as they can be trusted", async () => {
    const lines: object[] = [];
    const keep = (fields: object): void => void lines.push(fields);
    const log = { info: keep, warn: keep, error: keep };
    const forwarded = { "x-forwarded-for": "203.0.113.1", "x-forwarded-proto": "https" };
    for (const trustProxy of [["127.0.0.1"], []]) {
      await using served = await serve({ log, trustProxy });
      await served.call("/healthz", { headers: forwarded, token: AGENT_TOKEN });
    }
    const line = { method: "GET", route: "/healthz", status: 200, durationMs: 0 };
    expect(lines).toEqual([{ ...line, address: "203.0.113.1", protocol: "https" }, line]);
  });

  test.each([
    ["127.0.0.1", "127.0.0.1", true],
    ["::ffff:127.0.0.1", "::ffff:127.0.0.1", true],
    ["192.0.2.7", "192.0.2.7", true],
    ["10.1.2.3", "192.0.2.7", true],
    ["::ffff:10.1.2.3", "::ffff:192.0.2.7", true],
    ["192.0.2.8", "192.0.2.7", false],
    ["::ffff:192.0.2.8", "::ffff:192.0.2.7", false],
    ["2001:db8::1", "2001:db8::7", false],
    [undefined, "192.0.2.7", false],
  ])(
    "without TLS a peer at %s of a server at %s is served: %s",
    (remoteAddress, localAddress, is) => {
      const proxies = new TrustedProxies(["10.0.0.0/8"]);
      expect(mayUseHttp({ remoteAddress, localAddress }, proxies)).toBe(is);
    },
  );
});
