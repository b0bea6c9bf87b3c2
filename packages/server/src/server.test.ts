import { expect, test } from "vitest";

import { readStream } from "./testing/read-stream.ts";
import { serve } from "./testing/serve.ts";

test("a launch code becomes a token that opens a session's stream", async () => {
  await using served = await serve();
  const code = new URL(served.server.createLaunchUrl()).hash.slice("#code=".length);
  const exchange = await served.call("/api/auth/exchange", {
    method: "POST",
    body: { code, label: "Laptop" },
    token: null,
  });
  expect(exchange.status).toBe(200);
  const { token } = (await exchange.json()) as { token: string };

  const created = await served.call("/api/sessions", {
    method: "POST",
    body: { agent: "demo" },
    token,
  });
  expect(created.status).toBe(201);
  const { sessionId } = (await created.json()) as { sessionId: string };
  served.gateway.append(sessionId, { type: "turn_started", at: "2026-01-02T03:04:05.000Z" });

  const abort = new AbortController();
  const stream = await served.call(`/api/sessions/${sessionId}/events`, {
    token,
    signal: abort.signal,
  });
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const frames = readStream(stream);
  expect(await frames.take(1)).toMatchObject([{ id: "e1.1", data: { type: "turn_started" } }]);
  served.gateway.show(sessionId, { type: "text_delta", text: "Hi" });
  await served.clock.advance(25);
  expect(await frames.take(1)).toMatchObject([{ data: { type: "text_delta" } }]);
  abort.abort();
});
