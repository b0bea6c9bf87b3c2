/*
 * The line between a gateway and the host of its agent is lost while both live: the host makes the call again.
 */
import { describe, expect, test } from "vitest";

import { hashSecret } from "../auth/secrets.ts";
import { createFakeGateway, type FakeGateway } from "../testing/fake-gateway.ts";
import { serve, type Served } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

const LINE_GRACE_MS = 10 * 60_000;
const STRANGER = "s".repeat(43);
const stranger = {
  tokenId: "tok_stranger",
  kind: "agent" as const,
  person: "Ada",
  label: "A stranger",
  createdAtMs: 0,
  tokenHash: hashSecret(STRANGER),
  sessionId: "ses_7",
};
const accept = "application/json, text/event-stream";
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "host", version: "1" },
  },
};
const call = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: {
    name: "ask_user",
    arguments: { question: "Which?" },
    _meta: { "claudecode/toolUseId": "toolu_1" },
  },
};

interface Scene extends Served<FakeGateway> {
  /** Makes the call as a host does. `lose` cuts its connection. */
  ask(): { readonly answer: Promise<string>; readonly lose: () => void };
  tell(method: string, params: object): Promise<Response>;
}

async function openScene(token?: string): Promise<Scene> {
  const served = await serve({ gateway: createFakeGateway() });
  await served.credentials.add(stranger);
  const own = token ?? served.server.openToolAccess("ses_own").token;
  const headers: Record<string, string> = {
    accept,
    authorization: `Bearer ${own}`,
    "content-type": "application/json",
    "holdpoint-calls-again": "1",
  };
  const post = (body: unknown, signal?: AbortSignal) =>
    fetch(`${served.url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const opened = await post(initialize);
  await opened.text();
  headers["mcp-session-id"] = opened.headers.get("mcp-session-id")!;
  return {
    ...served,
    ask() {
      const line = new AbortController();
      const answer = post(call, line.signal).then((response) => response.text());
      return { answer: answer.catch(() => "lost"), lose: () => line.abort() };
    },
    tell: (method, params) => post({ jsonrpc: "2.0", method, params }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

const runningCall = ({ gateway: { tools } }: Scene) =>
  waitFor(() => {
    expect(tools.calls).toHaveLength(1);
    return tools.calls[0]!;
  });

/** The call runs, and its connection is lost: the gateway waits for it to come again. */
async function loseCall(scene: Scene) {
  const { answer, lose } = scene.ask();
  const running = await runningCall(scene);
  const timers = scene.clock.timerCount;
  lose();
  expect(await answer).toBe("lost");
  return { ...running, timers };
}

const luxon = { content: '"luxon"', isError: false };

describe("[R-4] a call of the gateway's own agent whose connection is lost", () => {
  test("continues as long as a host waits for a gateway, and is given up then", async () => {
    await using scene = await openScene();
    const { signal, timers } = await loseCall(scene);
    await waitFor(() => expect(scene.clock.timerCount).toBe(timers + 1));
    await scene.clock.advance(LINE_GRACE_MS - 1);
    expect(signal.aborted).toBe(false);
    await scene.clock.advance(1);
    expect(signal.aborted).toBe(true);
  });

  test("gets the result from the meantime when it comes again, once", async () => {
    await using scene = await openScene();
    const { finish, timers } = await loseCall(scene);
    await waitFor(() => expect(scene.clock.timerCount).toBe(timers + 1));
    finish(luxon);
    await waitFor(() => expect(scene.clock.timerCount).toBe(timers));
    expect(await scene.ask().answer).toContain("luxon");
    expect(scene.gateway.tools.calls).toHaveLength(1);
    scene.ask();
    await waitFor(() => expect(scene.gateway.tools.calls).toHaveLength(2));
  });

  test("can be resumed only once its connection is lost", async () => {
    await using scene = await openScene();
    const { lose } = scene.ask();
    const { connection } = await runningCall(scene);
    expect(connection?.aborted).toBe(false);
    lose();
    await waitFor(() => expect(connection?.aborted).toBe(true));
  });

  test("is given up at once if the host reports that its agent no longer waits", async () => {
    await using scene = await openScene();
    scene.ask();
    const { signal } = await runningCall(scene);
    const timers = scene.clock.timerCount;
    await scene.tell("notifications/cancelled", { requestId: 2, reason: "Given up." });
    await waitFor(() => expect(signal.aborted).toBe(true));
    expect(scene.clock.timerCount).toBe(timers);
  });
});

test("[R-15] can be resumed only by one of the gateway's own agents", async () => {
  await using scene = await openScene(STRANGER);
  const { signal } = await loseCall(scene);
  await waitFor(() => expect(signal.aborted).toBe(true));
});
