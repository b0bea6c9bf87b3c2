import { describe, expect, test } from "vitest";

import { hello, openSocket } from "../testing/open-socket.ts";
import { sampleRequest } from "../testing/sample-requests.ts";
import { listRoutes, PERSON_TOKEN, rawRequest, serve } from "../testing/serve.ts";
import { withWebRoot } from "../testing/web-root.ts";
import { isEmbedOrigin } from "./embed-origins.ts";
import { routeKey } from "./route.ts";

const DESK = "https://desk.example";
const OPTIONS = { embedOrigins: [DESK, "http://localhost:5173"] };
const NEIGHBOURS = [
  "http://desk.example",
  "https://desk.example:8443",
  "https://desk.example:443",
  "https://desk.example.",
  "https://desk.example/",
  "https://desk.example.evil.example",
  "https://evil-desk.example",
  "https://a.desk.example",
  "HTTPS://DESK.EXAMPLE",
  `${DESK}, ${DESK}`,
  "http://127.0.0.1:5173",
  "null",
  "",
];

const routes = listRoutes().map((route) => [routeKey(route), sampleRequest(route)] as const);
const ofApi = routes.filter(([, { path }]) => path.startsWith("/api/"));
/** Such pages have the token of a program. */
const ofOthers = new Set(
  listRoutes()
    .filter(({ access }) => access === "device" || access === "agent")
    .map(routeKey),
);
const ofNobodyElse = [
  ...routes.filter(([, { path }]) => !path.startsWith("/api/")),
  ["the page", { path: "/", method: "GET" }],
  ["an asset", { path: "/assets/app-12345678.js", method: "GET" }],
  ["what begins like the API", { path: "/apis", method: "GET" }],
  ["what the API is left to by dots", { path: "/api/%2e%2e/healthz", method: "GET" }],
  ["what is left by plain dots", { path: "/api/../mcp", method: "POST" }],
] as const;

interface Target {
  readonly path: string;
  readonly method: string;
  readonly body?: object;
}

/** The request as a page of another site sends it. */
function requestFrom(port: number, { path, method, body }: Target, headers: object = {}) {
  return rawRequest(port, {
    path,
    method,
    headers: {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${PERSON_TOKEN}`,
      origin: DESK,
      "sec-fetch-site": "cross-site",
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function corsOf(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("access-control-")),
  );
}

describe("an embedding origin", () => {
  test.each(ofApi)("may use %s and read the response, refusals included", async (key, target) => {
    await using served = await serve(OPTIONS);
    const { port } = served;
    for (const authorization of [`Bearer ${PERSON_TOKEN}`, ""]) {
      served.gateway.draining = true; // Keeps the request from changing anything.
      if (target.path.endsWith("/events") && authorization !== "") continue;
      const answer = await requestFrom(port, target, { authorization });
      expect(answer.status === 403).toBe(ofOthers.has(key) && authorization !== "");
      expect(answer.status).not.toBe(421);
      expect(corsOf(answer.headers)).toEqual({ "access-control-allow-origin": DESK });
      expect(answer.headers["vary"]).toContain("Origin");
    }
  });

  test("may read a stream", async () => {
    await using served = await serve(OPTIONS);
    const ending = new AbortController();
    const answer = await served.call("/api/events", {
      headers: { origin: DESK },
      signal: ending.signal,
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe(DESK);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    ending.abort();
  });

  test("may open the WebSocket", async () => {
    await using served = await serve(OPTIONS);
    const client = await openSocket(served, { origin: DESK });
    client.send(hello());
    expect(await client.next()).toMatchObject({ type: "welcome" });
    await client.leave();
  });

  test.each(ofNobodyElse)("may not have %s", async (_, target) => {
    await using web = await withWebRoot();
    await using served = await serve({ ...OPTIONS, webRoot: web.root });
    const answer = await requestFrom(served.port, target);
    expect(answer.status).toBe(403);
    expect(corsOf(answer.headers)).toEqual({});
  });

  test("gets the CORS headers that the API needs, and none for what browsers add themselves", async () => {
    await using served = await serve(OPTIONS);
    const preflight = { path: "/api/sessions", method: "OPTIONS" };
    const asks = { authorization: "", "access-control-request-method": "POST" };
    const answer = await requestFrom(served.port, preflight, asks);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: "" });
    expect(corsOf(answer.headers)).toEqual({
      "access-control-allow-origin": DESK,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers":
        "Authorization, Content-Type, Last-Event-ID, X-Holdpoint-Client",
      "access-control-max-age": "600",
    });
  });

  test.each(NEIGHBOURS)("is never %o", async (origin) => {
    await using served = await serve(OPTIONS);
    const preflight = { "access-control-request-method": "GET" };
    for (const [method, headers] of [
      ["GET", {}],
      ["OPTIONS", preflight],
    ] as const) {
      const target = { path: "/api/sessions", method };
      const answer = await requestFrom(served.port, target, { origin, ...headers });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("embedOrigins");
      expect(corsOf(answer.headers)).toEqual({});
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test("does not allow requests without an origin, or from foreign hosts", async () => {
    await using served = await serve(OPTIONS);
    const target = { path: "/api/sessions", method: "GET" };
    const without = await rawRequest(served.port, {
      ...target,
      headers: { host: `127.0.0.1:${served.port}`, "sec-fetch-site": "cross-site" },
    });
    expect(without.status).toBe(403);
    expect((await requestFrom(served.port, target, { host: "evil.example" })).status).toBe(421);
  });
});

test("is not set by default", async () => {
  await using served = await serve();
  const answer = await requestFrom(served.port, { path: "/api/sessions", method: "GET" });
  expect(answer.status).toBe(403);
});

test.each([
  ["https://desk.example", true],
  ["https://desk.example:8443", true],
  ["http://localhost:5173", true],
  ["http://127.0.0.1:5173", true],
  ["http://[::1]:5173", true],
  ["http://desk.example", false],
  ["http://192.0.2.7:5173", false],
  ["https://desk.example/", false],
  ["https://desk.example/support", false],
  ["https://desk.example:443", false],
  ["https://Desk.example", false],
  ["https://ada@desk.example", false],
  ["https://*.desk.example", false],
  ["desk.example", false],
  ["file:///desk.html", false],
  ["null", false],
  ["*", false],
  ["", false],
])("%s can be an embedding origin: %s", (origin, expected) => {
  expect(isEmbedOrigin(origin)).toBe(expected);
});

test("stops a server from starting if it is invalid", async () => {
  await expect(serve({ embedOrigins: [DESK, "*"] })).rejects.toThrow('The origin "*"');
});
