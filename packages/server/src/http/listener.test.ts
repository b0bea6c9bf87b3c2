import { connect } from "node:net";

import { describe, expect, test } from "vitest";

import { sampleRequest } from "../testing/sample-requests.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { listRoutes, PERSON_TOKEN, rawRequest, serve } from "../testing/serve.ts";
import { withWebRoot } from "../testing/web-root.ts";
import { routeKey } from "./route.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** Every route, and the other targets. */
const targets = [
  ...listRoutes().map((route) => ({ name: routeKey(route), ...sampleRequest(route) })),
  { name: "the page", path: "/", method: "GET" },
  { name: "an asset", path: "/assets/app-12345678.js", method: "GET" },
  { name: "a page within the page", path: "/sessions/ses_1", method: "GET" },
  { name: "nothing", path: "/nothing.txt", method: "GET" },
  { name: "nothing in the API", path: "/api/nothing", method: "GET" },
].map((target) => [target.name, target] as const);

const foreignHosts = [
  "evil.example",
  "127.0.0.1",
  "127.0.0.1:1",
  "localhost",
  "localhost.:PORT",
  "127.0.0.1.nip.io:PORT",
  "0.0.0.0:PORT",
  "[::]:PORT",
  "user@127.0.0.1:PORT",
  "127.0.0.1:PORT,evil.example",
];
const foreignOrigins = [
  "http://evil.example",
  "http://127.0.0.1:1",
  "https://127.0.0.1:PORT",
  "http://localhost",
  "http://localhost:PORT.evil.example",
  "null",
  "",
];

/** Values that no browser sends for a request of the gateway's own page, including unknown and repeated ones. */
const FOREIGN_SITES = [
  "cross-site",
  "same-site",
  "cross-origin",
  "Same-Origin",
  "same-origin, cross-site",
  "",
];

function requestAs(port: number, target: (typeof targets)[number][1], extra: object) {
  return rawRequest(port, {
    path: target.path,
    method: target.method,
    headers: {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${PERSON_TOKEN}`,
      ...("body" in target && { "content-type": "application/json" }),
      ...extra,
    },
    ...("body" in target && { body: JSON.stringify(target.body) }),
  });
}

/** Routes for monitors. */
const PROBES = ["/healthz", "/readyz", "/metrics"];

describe("hosts and origins", () => {
  const others = targets.filter(([, { path }]) => !PROBES.includes(path));

  test.each(others)("%s answers under none but its own hosts", async (_, target) => {
    await using web = await withWebRoot();
    await using served = await serve({ webRoot: web.root });
    served.gateway.addSession("ses_1");
    for (const foreign of foreignHosts) {
      const host = foreign.replace("PORT", String(served.port));
      const answer = await requestAs(served.port, target, { host });
      expect([host, answer.status]).toEqual([host, 421]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "MISDIRECTED" });
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test.each(targets)("%s refuses pages of other origins", async (_, target) => {
    await using web = await withWebRoot();
    await using served = await serve({ webRoot: web.root });
    served.gateway.addSession("ses_1");
    for (const foreign of foreignOrigins) {
      const origin = foreign.replace("PORT", String(served.port));
      const answer = await requestAs(served.port, target, { origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "FORBIDDEN" });
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test.each(targets.filter(([, { path }]) => path.startsWith("/api")))(
    "%s refuses requests of other sites without an origin",
    async (_, target) => {
      await using served = await serve();
      for (const site of FOREIGN_SITES) {
        const answer = await requestAs(served.port, target, { "sec-fetch-site": site });
        expect(answer.status).toBe(403);
      }
      expect(served.gateway.callers).toEqual([]);
    },
  );

  test.each(["/%61pi/sessions", "/x/../api/sessions", "/./api/sessions", "/%61pi/x/%A4"])(
    "%s belongs to the API as well, in any spelling",
    async (path) => {
      await using served = await serve();
      const target = { name: path, path, method: "GET" };
      const own = await requestAs(served.port, target, {});
      expect(own.headers["cache-control"]).toBe("no-store");
      const foreign = await requestAs(served.port, target, { "sec-fetch-site": "cross-site" });
      expect(foreign.status).toBe(403);
    },
  );

  test("a request may use any name of loopback, from the gateway's own pages", async () => {
    await using served = await serve();
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      const host = `${name}:${served.port}`;
      const answer = await requestAs(served.port, targets[0]![1], {
        host,
        origin: `http://${host.toLowerCase()}`,
        "sec-fetch-site": "same-origin",
      });
      expect(answer.status).toBe(200);
    }
  });

  test("the public URL is also a host and an origin", async () => {
    await using served = await serve({ publicUrl: "https://hold.example" });
    const health = { name: "", path: "/openapi.json", method: "GET" };
    const origin = "https://hold.example";
    for (const host of ["hold.example", "hold.example:443"]) {
      expect((await requestAs(served.port, health, { host, origin })).status).toBe(200);
    }
    expect((await requestAs(served.port, health, { host: "hold.example:80" })).status).toBe(421);
    const plain = { host: "hold.example", origin: "http://hold.example" };
    expect((await requestAs(served.port, health, plain)).status).toBe(403);
  });

  test("a target with a host in it is refused", async () => {
    await using served = await serve();
    const path = `http://127.0.0.1:${served.port}/healthz`;
    const answer = await requestAs(served.port, { name: "", path, method: "GET" }, {});
    expect(answer.status).toBe(421);
  });
});

test.each([
  ["no host", "GET /healthz HTTP/1.1\r\n", 400],
  ["two hosts", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n", 421],
  ["an empty host", "GET / HTTP/1.1\r\nHost: \r\n", 421],
  ["an old version without a host", "GET / HTTP/1.0\r\n", 421],
])("a request with %s is refused", async (_, head, status) => {
  await using served = await serve();
  const text = head.replaceAll("PORT", String(served.port));
  const socket = connect(served.port, "127.0.0.1");
  socket.write(`${text}Connection: close\r\n\r\n`);
  let answer = "";
  for await (const piece of socket) answer += String(piece);
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
});

describe("headers", () => {
  test.each(targets)(
    "%s has every security header, refused or not, and no CORS header",
    async (_, target) => {
      await using web = await withWebRoot();
      await using served = await serve({ webRoot: web.root });
      served.gateway.draining = true; // Ends nothing, but keeps this test from changing anything.
      for (const extra of [{}, { host: "evil.example" }, { authorization: "" }]) {
        if (target.path.endsWith("events") && !("host" in extra || "authorization" in extra)) {
          continue;
        }
        const { headers } = await requestAs(served.port, target, extra);
        for (const [name, value] of SECURITY_HEADERS) {
          expect(headers[name.toLowerCase()]).toBe(value);
        }
        expect(Object.keys(headers).filter((name) => name.includes("allow-origin"))).toEqual([]);
        const isApi = /^\/(?:api|mcp)/.test(target.path);
        expect(headers["cache-control"] === "no-store").toBe(isApi);
      }
    },
  );

  test("the policy allows only the gateway's own resources", () => {
    expect(SECURITY_HEADERS.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types holdpoint-preview holdpoint-worker holdpoint-code",
    );
  });
});

test("a refused host is named in the response and in the log, if it is a valid host", async () => {
  const lines: object[] = [];
  const keep = (fields: object): void => void lines.push(fields);
  await using served = await serve({ log: { info: keep, warn: keep, error: keep } });
  for (const host of ["desk.example:8443", "secret words", "x".repeat(300)]) {
    const answer = await rawRequest(served.port, { path: "/", headers: { host } });
    expect(answer.text).toContain(JSON.stringify(host.slice(0, 255)).slice(1, -1));
  }
  await served.server.close();
  const refused = { method: "GET", status: 421, durationMs: 0 };
  // Once for each name, the setting that would let it in is named before the request.
  expect(lines).toEqual([
    { host: "desk.example:8443", setting: "publicUrl" },
    { ...refused, host: "desk.example:8443" },
    { host: "(no name)", setting: "publicUrl" },
    refused,
    refused,
  ]);
});

test("[R-19] an id in a path is logged only once the gateway has found it", async () => {
  const lines: object[] = [];
  const keep = (fields: object): void => void lines.push(fields);
  await using served = await serveEngine(undefined, {
    log: { info: keep, warn: keep, error: keep },
  });
  const planted = `secret-${"s".repeat(40)}`;
  const targets = listRoutes().filter(({ path }) => path.includes("{"));
  for (const route of targets) {
    const path = route.path.replaceAll(/\{\w+\}/g, planted);
    const { body } = { body: undefined, ...sampleRequest(route) };
    for (const token of [PERSON_TOKEN, "wrong"]) {
      const call = served.call(path, { method: route.method, body, token });
      await (await call).body?.cancel();
    }
  }
  await served.server.close();
  expect(lines.length).toBe(targets.length * 2);
  expect(JSON.stringify(lines)).not.toContain(planted);
});

test("a log line has the route's pattern and ids, and nothing else of the request", async () => {
  const lines: object[] = [];
  const keep = (fields: object): void => void lines.push(fields);
  await using served = await serve({ log: { info: keep, warn: keep, error: keep } });
  served.gateway.addSession("ses_1");
  await served.call("/api/sessions/ses_1?secret=query", {
    method: "PATCH",
    body: { title: "secret title" },
    headers: { "x-secret": "secret header" },
  });
  await served.call("/secret-path", { token: "secret-token" });
  await served.server.close();
  expect(lines).toEqual([
    {
      method: "PATCH",
      status: 200,
      durationMs: 0,
      route: "/api/sessions/{sessionId}",
      tokenId: "tok_person",
      sessionId: "ses_1",
    },
    { method: "GET", status: 404, durationMs: 0 },
  ]);
});
