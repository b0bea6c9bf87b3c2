import { StoreError } from "@holdpoint/engine";
import {
  BODY_LIMITS,
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  problemSchema,
  ProtocolError,
} from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { refuse } from "../testing/fake-gateway.ts";
import { sampleRequest } from "../testing/sample-requests.ts";
import { listRoutes, rawRequest, serve, tokenFor } from "../testing/serve.ts";
import { routeKey } from "./route.ts";

// `fetch` repeats a request that was answered with 421.
const codes = Object.keys(ERROR_CODES)
  .filter(isErrorCode)
  .filter((code) => code !== "MISDIRECTED");
const routes = listRoutes();
// Faults in a message of the Model Context Protocol are reported in its own format. The bodies of devices, each with
// its proof, are in program-tokens.test.ts.
const withBody = routes
  .filter(({ access, body, path }) => body && path !== "/mcp" && access !== "device")
  .map((route) => [routeKey(route), route] as const);
const required = withBody.filter(([, { body }]) => body?.safeParse(undefined).success === false);

async function problemIn(answer: Response): Promise<{ code: ErrorCode; detail: string }> {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const problem = problemSchema.parse(await answer.json());
  expect(problem.status).toBe(answer.status);
  return problem;
}

describe("refusals of the gateway", () => {
  test.each(codes)("%s thrown has its status and body", async (code) => {
    await using served = await serve();
    served.gateway.failure = new ProtocolError(code, "What happened.", { retryAfterMs: 1500 });
    const answer = await served.call("/api/sessions/ses_1");
    expect(answer.status).toBe(ERROR_CODES[code].status);
    expect(await problemIn(answer)).toMatchObject({ code, detail: "What happened." });
    expect(answer.headers.get("retry-after")).toBe("2");
  });

  test("a loser gets the winner", async () => {
    await using served = await serve();
    const by = { person: "Bob", client: "Phone", at: "2026-01-02T03:04:05.000Z" };
    const winner = { action: "deny" as const, reason: "Not now.", by };
    served.gateway.respondResult = refuse(
      new ProtocolError("ALREADY_ANSWERED", "Somebody else was first.", { winner }),
    );
    const digest = "d".repeat(64);
    for (const [path, body] of [
      ["/api/interactions/int_1/response", { action: "approve", digest }],
      ["/api/sessions/ses_1/approve", { toolCallId: "call_1", digest }],
      ["/api/sessions/ses_1/deny", { toolCallId: "call_1" }],
    ] as const) {
      const answer = await served.call(path, { method: "POST", body });
      expect(answer.status).toBe(409);
      expect(await problemIn(answer)).toMatchObject({ code: "ALREADY_ANSWERED", winner });
    }
  });

  test("a broken store is 503 and invites a retry", async () => {
    await using served = await serve();
    served.gateway.failure = new StoreError("STORE_FAILED", "disk /secret is full");
    const answer = await served.call("/api/sessions/ses_1");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    const problem = await problemIn(answer);
    expect(problem.code).toBe("STORE_UNAVAILABLE");
    expect(JSON.stringify(problem)).not.toContain("/secret");
  });

  test("an unexpected error is 500, never 4xx, and is logged without its message", async () => {
    const lines: object[] = [];
    const keep = (fields: object): void => void lines.push(fields);
    await using served = await serve({ log: { info: () => {}, warn: keep, error: keep } });
    served.gateway.failure = Object.assign(new TypeError("secret answer"), { status: 404 });
    const answer = await served.call("/api/sessions/ses_1");
    expect(answer.status).toBe(500);
    const problem = await problemIn(answer);
    expect(problem.code).toBe("INTERNAL");
    expect(lines).toMatchObject([{ errorName: "TypeError" }]);
    expect(JSON.stringify([problem, lines])).not.toContain("secret answer");
  });
});

describe("paths and methods", () => {
  test.each([
    "/api",
    "/api/",
    "/api/nothing",
    "/api/sessions/ses_1/nothing",
    "/nothing",
    "/a/b.js",
  ])("%s is not found", async (path) => {
    await using served = await serve();
    const answer = await served.call(path);
    expect(answer.status).toBe(404);
    expect((await problemIn(answer)).code).toBe("NOT_FOUND");
  });

  test.each(routes.map((route) => [route.path] as const))(
    "%s refuses other methods",
    async (path) => {
      await using served = await serve();
      const own = routes
        .filter((route) => route.path === path)
        .map(({ method }) => method as string);
      const sample = sampleRequest(routes.find((route) => route.path === path)!).path;
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (own.includes(method)) continue;
        const answer = await served.call(sample, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.get("allow")).toBe(own.join(", "));
        expect((await problemIn(answer)).code).toBe("METHOD_NOT_ALLOWED");
      }
      const head = await served.call(sample, { method: "HEAD" });
      expect(head.status).toBe(405);
    },
  );
});

describe("bodies", () => {
  test.each(withBody)("%s accepts only JSON", async (_, route) => {
    await using served = await serve();
    const { path, method, body } = sampleRequest(route);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json-patch+json",
      "application/json; charset=utf-16",
    ]) {
      const headers = { "content-type": type };
      const init = { method, body: JSON.stringify(body), headers, token: tokenFor(route) };
      const answer = await served.call(path, init);
      expect(answer.status).toBe(415);
      expect((await problemIn(answer)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
    const headers = {
      authorization: `Bearer ${tokenFor(route)}`,
      host: `127.0.0.1:${served.port}`,
    };
    const untyped = await rawRequest(served.port, { path, method, headers, body: "{}" });
    expect(untyped.status).toBe(415);
  });

  test.each(withBody)(
    "%s refuses what is not JSON, not UTF-8, or the wrong shape",
    async (_, route) => {
      await using served = await serve();
      const { path, method, body } = sampleRequest(route);
      const token = tokenFor(route);
      const wrong = ["{", "nope", '"text"', "[]", "null", JSON.stringify({ ...body, surprise: 1 })];
      for (const text of wrong) {
        const answer = await served.call(path, { method, body: text, token });
        expect(answer.status).toBe(400);
        expect((await problemIn(answer)).code).toBe("BAD_REQUEST");
      }
      const broken = await fetch(served.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      });
      expect(broken.status).toBe(400);
      expect(served.gateway.callers).toEqual([]);
    },
  );

  test("[R-20] JSON that is nested too deeply to be serialised again is refused", async () => {
    await using served = await serve();
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const respond = (values: string) => {
      const init = { method: "POST", body: `{"action":"submit","values":${values}}` };
      return served.call("/api/interactions/int_1/response", init);
    };
    expect((await respond(nested(100))).status).toBe(200);
    for (const depth of [200, 9000]) {
      const answer = await respond(nested(depth));
      expect(answer.status).toBe(400);
      expect((await problemIn(answer)).detail).toBe("The body is nested more than 128 levels.");
    }
    expect(served.gateway.callers).toHaveLength(1);
  });

  test.each(required)("%s needs a body", async (_, route) => {
    await using served = await serve();
    const { path, method } = sampleRequest(route);
    const answer = await served.call(path, { method, token: tokenFor(route) });
    expect(answer.status).toBe(400);
  });

  test("a wrong field is named, but not its value", async () => {
    await using served = await serve();
    const body = { action: "approve", approvalScope: "my secret" };
    const answer = await served.call("/api/interactions/int_1/response", { method: "POST", body });
    const problem = await problemIn(answer);
    expect(problem).toMatchObject({ fieldErrors: { approvalScope: expect.any(String) as string } });
    expect(JSON.stringify(problem)).not.toContain("my secret");
  });

  test.each(withBody)(
    "[R-20] %s counts the received bytes, whatever was declared",
    async (_, route) => {
      await using served = await serve();
      const { path, method } = sampleRequest(route);
      const token = tokenFor(route);
      const limit = route.maxBodyBytes ?? 256 * 1024;
      const padded = (size: number): string => `{"padding":"${"x".repeat(size - 14)}"}`;
      const fits = await served.call(path, { method, body: padded(limit), token });
      expect(fits.status).toBe(400);
      const declared = await served.call(path, { method, body: padded(limit + 1), token });
      expect(declared.status).toBe(413);
      expect((await problemIn(declared)).code).toBe("TOO_LARGE");
      const chunked = await rawRequest(served.port, {
        path,
        method,
        headers: {
          host: `127.0.0.1:${served.port}`,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "transfer-encoding": "chunked",
        },
        body: padded(limit + 1),
      });
      expect(chunked.status).toBe(413);
    },
  );

  test("limits are 64 KiB for responses, 10 MiB as Base64 for files, and 256 KiB for the rest", () => {
    const limits = Object.fromEntries(withBody.map(([key, route]) => [key, route.maxBodyBytes]));
    expect(limits).toEqual({
      "POST /api/auth/hello": 1024,
      "POST /api/auth/exchange": 4096,
      "POST /api/auth/sign-ins": 1024,
      "POST /api/auth/sign-ins/finish": 16_384,
      "POST /api/auth/agent-tokens": 4096,
      "POST /api/agent-tokens": 262_144,
      "POST /api/asks": 262_144,
      "POST /api/asks/{interactionId}/comments": 262_144,
      "POST /api/folder-trust": 262_144,
      "POST /api/rules": 262_144,
      "POST /api/rules/preview": 262_144,
      "POST /api/sessions": 262_144,
      "PATCH /api/sessions/{sessionId}": 262_144,
      "PUT /api/sessions/{sessionId}/groups": 262_144,
      "POST /api/sessions/{sessionId}/messages": 262_144,
      "POST /api/sessions/{sessionId}/stop": 262_144,
      "POST /api/sessions/{sessionId}/submit-answers": 65_536,
      "POST /api/sessions/{sessionId}/approve": 65_536,
      "POST /api/sessions/{sessionId}/attachments": BODY_LIMITS.fileBytes,
      "POST /api/sessions/{sessionId}/deny": 65_536,
      "POST /api/interactions/{interactionId}/response": 65_536,
      "POST /api/interactions/{interactionId}/dismiss": 262_144,
      "POST /api/interactions/{interactionId}/undo": 262_144,
      "POST /api/interactions/{interactionId}/comments": 262_144,
      "POST /api/interactions/{interactionId}/hand-over": 262_144,
      "POST /api/interactions/{interactionId}/remind": 262_144,
      "PUT /api/interactions/{interactionId}/snooze": 262_144,
      "PUT /api/clients/{clientId}/interaction-mode": 262_144,
    });
  });
});

test.each([
  "/api/sessions/ses_1/events?after=-1",
  "/api/sessions/ses_1/events?after=1&before=2",
  "/api/sessions/ses_1/events?limit=1001",
  "/api/sessions?limit=none",
  "/api/interactions?status=open",
  `/api/sessions/${"x".repeat(129)}`,
])("%s is a bad request", async (path) => {
  await using served = await serve();
  expect((await served.call(path)).status).toBe(400);
});
