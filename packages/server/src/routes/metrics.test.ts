import type { HoldRequest } from "@holdpoint/engine";
import type { Session } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { serveEngine } from "../testing/serve-engine.ts";
import { AGENT_TOKEN, PERSON_TOKEN, rawRequest, serve } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

const SECRET = "cobalt-otter";

describe("access to metrics", () => {
  test("is for a person's program by default, under any name, and not without a token", async () => {
    await using served = await serve();
    const read = (headers: Record<string, string>) =>
      rawRequest(served.port, { path: "/metrics", headers });
    const authorization = `Bearer ${PERSON_TOKEN}`;
    expect(await read({ authorization, host: "10.0.0.7:4870" })).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    });
    expect(await read({})).toMatchObject({ status: 401 });
    const ofAgent = await read({ authorization: `Bearer ${AGENT_TOKEN}` });
    expect(ofAgent).toMatchObject({ status: 403 });
  });

  test("is for any program on this machine if configured, and not through a proxy", async () => {
    await using served = await serve({
      metricsAccess: "loopback",
      publicUrl: "https://hold.example",
    });
    const read = async (headers: Record<string, string>) =>
      (await rawRequest(served.port, { path: "/metrics", headers })).status;
    expect(await read({})).toBe(200);
    for (const header of ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"]) {
      expect([header, await read({ [header]: "1" })]).toEqual([header, 401]);
    }
    expect(await read({ host: "hold.example" })).toBe(401);
    expect(await read({ host: "evil.example" })).toBe(421);
  });

  test("is for no one if switched off", async () => {
    await using served = await serve({ metricsAccess: "off" });
    expect((await served.call("/metrics")).status).toBe(404);
  });
});

test("[R-19] metrics count requests, answers and deliveries, and contain none of their content", async () => {
  const request: HoldRequest = {
    kind: "approval",
    toolCallId: `call_${SECRET}`,
    toolName: SECRET,
    input: { command: SECRET },
    display: { title: SECRET },
    scopes: ["once"],
    scopeText: {},
    editable: false,
  };
  await using served = await serveEngine(async (_, context) => {
    const first = await context.hold(
      { ...request, toolCallId: "call_2" },
      { signal: context.signal },
    );
    if (first.outcome === "answered") await first.delivered();
    await context.hold(request, { signal: context.signal });
    return { reason: "done" };
  });
  const post = (path: string, body: object) => served.call(path, { method: "POST", body });
  const read = async () => {
    const lines = (await (await served.call("/metrics")).text()).split("\n");
    return Object.fromEntries(
      lines
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => line.split(" "))
        .map(([name = "", value]) => [name, Number(value)]),
    );
  };
  const pending = 'holdpoint_pending_interactions{kind="approval"}';
  expect(await read()).toMatchObject({ [pending]: 0, holdpoint_agents: 0 });

  const created = await post("/api/sessions", { agent: "scripted", title: SECRET });
  const { sessionId } = (await created.json()) as Session;
  await post(`/api/sessions/${sessionId}/messages`, { content: SECRET });
  await waitFor(async () => expect(await read()).toMatchObject({ [pending]: 1 }));
  await served.clock.advance(90_000);
  expect(await read()).toMatchObject({
    'holdpoint_oldest_pending_seconds{kind="approval"}': 90,
    'holdpoint_oldest_pending_seconds{kind="form"}': 0,
    'holdpoint_sessions{archived="false"}': 1,
    holdpoint_waiting_sessions: 1,
    holdpoint_agents: 1,
  });

  await post(`/api/sessions/${sessionId}/deny`, { toolCallId: "call_2", reason: SECRET });
  await waitFor(async () =>
    expect(await read()).toMatchObject({
      [pending]: 1,
      'holdpoint_interactions_total{kind="approval",happening="asked"}': 2,
      'holdpoint_interactions_total{kind="approval",happening="answered"}': 1,
      'holdpoint_interactions_total{kind="approval",happening="delivered"}': 1,
      'holdpoint_deliveries_total{how="resumed"}': 1,
      'holdpoint_answer_seconds_bucket{le="60"}': 0,
      'holdpoint_answer_seconds_bucket{le="300"}': 1,
      'holdpoint_answer_seconds_bucket{le="+Inf"}': 1,
      holdpoint_answer_seconds_count: 1,
    }),
  );
  await waitFor(async () =>
    expect(Object.keys(await read())).toContain(
      'holdpoint_event_loop_lag_seconds{quantile="0.99"}',
    ),
  );
  const text = await (await served.call("/metrics")).text();
  for (const hidden of [SECRET, sessionId, "Bash", "scripted", "Ada"]) {
    expect(text).not.toContain(hidden);
  }
  await served.call(`/api/sessions/${sessionId}`, { method: "DELETE" });
  expect(await read()).toMatchObject({ [pending]: 0, holdpoint_agents: 0 });
});
