import { type Ask, type Caller, CREDENTIAL_LIMITS, type RespondBody } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { serveEngine } from "../testing/serve-engine.ts";
import { waitFor } from "../testing/wait-for.ts";

const ada: Caller = { principal: "person", person: "Ada", client: "page" };
const deploy = { kind: "approval", label: "deploy.sh", prompt: "Deploy 1.4.2?" };

/** A served gateway with a program that asks, and a person who answers. */
async function serveProgram() {
  const served = await serveEngine();
  const { gateway } = served;
  let followed = 0;
  const followAsk = gateway.followAsk.bind(gateway);
  gateway.followAsk = (...args) => {
    followed += 1;
    return followAsk(...args);
  };
  const issue = async (label: string) => (await gateway.createAgentToken(ada, { label })).token;
  const token = await issue("CI");
  const call = async (path: string, init: Parameters<typeof served.call>[1] = {}) => {
    const answer = await served.call(`/api/asks${path}`, { token, ...init });
    return { status: answer.status, body: (await answer.json()) as Ask & { code?: string } };
  };
  return {
    ...served,
    token,
    issue,
    asks: call,
    ask: async (changes = {}) =>
      (await call("", { method: "POST", body: { ...deploy, ...changes } })).body,
    async answer({ interactionId }: Ask, action: RespondBody["action"]) {
      const { approval } = await gateway.getInteraction(ada, interactionId);
      await gateway.respond(ada, interactionId, { action, digest: approval?.digest });
    },
    /** Resolves once this many requests wait for an ask. */
    waiters: (count: number) => waitFor(async () => expect(followed).toBe(count)),
  };
}

test("[R-15] POST, GET and DELETE ask, read and withdraw", async () => {
  await using served = await serveProgram();
  const created = await served.asks("", { method: "POST", body: deploy });
  expect(created.status).toBe(201);
  const { interactionId } = created.body;
  expect(await served.asks(`/${interactionId}`)).toEqual({ status: 200, body: created.body });
  const withdrawn = await served.asks(`/${interactionId}`, { method: "DELETE" });
  expect(withdrawn).toMatchObject({ status: 200, body: { status: "withdrawn" } });
  const other = await served.issue("Other");
  for (const init of [{}, { method: "DELETE" }]) {
    const foreign = await served.asks(`/${interactionId}`, { ...init, token: other });
    expect(foreign).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  }
});

test("GET with `wait` answers as soon as the ask is over", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const waiting = served.asks(`/${ask.interactionId}?wait=30s`);
  await served.waiters(1);
  await served.answer(ask, "approve");
  expect(await waiting).toMatchObject({ status: 200, body: { response: { action: "approve" } } });
  expect(await served.asks(`/${ask.interactionId}?wait=30s`)).toEqual(await waiting);
});

test("[R-5] GET with `wait` responds in time that no one has answered, and leaves the ask open", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const waiting = served.asks(`/${ask.interactionId}?wait=500ms`);
  await served.waiters(1);
  await served.clock.advance(500);
  expect(await waiting).toEqual({ status: 200, body: ask });
  await served.answer(ask, "deny");
  const late = await served.asks(`/${ask.interactionId}?wait=1m`);
  expect(late.body.response).toEqual({ action: "deny" });
});

test("[R-5] GET with `wait` returns early for a comment only if the program knows the earlier ones", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const path = `/${ask.interactionId}?wait=1m`;
  const [plain, reading] = [served.asks(path), served.asks(`${path}&comments=0`)];
  await served.waiters(2);
  await served.gateway.addComment(ada, ask.interactionId, { text: "Which one?" });
  const told = await reading;
  expect(told.body).toMatchObject({ status: "pending", comments: [{ text: "Which one?" }] });
  expect(told.body).not.toHaveProperty("response");
  const own = await served.asks(`/${ask.interactionId}/comments`, {
    method: "POST",
    body: { text: "The first." },
  });
  expect(own.body.comments).toHaveLength(2);
  await served.clock.advance(60_000);
  expect((await plain).body).toEqual(own.body);
  // An earlier wait has received everything: the next one begins there.
  const later = served.asks(`${path}&comments=2`);
  await served.waiters(3);
  await served.answer(ask, "deny");
  expect((await later).body.response).toEqual({ action: "deny" });
});

test("[R-18] programs that disconnect while they wait lose nothing and leave nothing behind", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const before = served.clock.timerCount;
  const gone = new AbortController();
  const waiting = served.asks(`/${ask.interactionId}?wait=1m`, { signal: gone.signal });
  await served.waiters(1);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await waitFor(async () => expect(served.clock.timerCount).toBe(before));
  await served.answer(ask, "approve");
  expect((await served.asks(`/${ask.interactionId}`)).body.response).toEqual({
    action: "approve",
    approvalScope: "once",
  });
});

test("GET as an event stream reports the end of the ask", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const headers = { accept: "text/event-stream" };
  const stream = await served.call(`/api/asks/${ask.interactionId}`, {
    token: served.token,
    headers,
  });
  const frames = stream.text();
  await served.answer(ask, "deny");
  const told = [...(await frames).matchAll(/^data: (.*)$/gmu)].map(
    ([, json = ""]) => JSON.parse(json) as { type: string; ask: Ask },
  );
  expect(told.map(({ type, ask: { status } }) => [type, status])).toEqual([
    ["ask_changed", "pending"],
    ["ask_changed", "delivered"],
  ]);
});

test("[R-20] one program waits for no more asks at once than an agent may run calls", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const path = `/${ask.interactionId}?wait=1m`;
  const { runningCalls } = CREDENTIAL_LIMITS;
  const waiting = Array.from({ length: runningCalls }, () => served.asks(path));
  await served.waiters(runningCalls);
  expect(await served.asks(path)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(await served.asks(`/${ask.interactionId}`)).toMatchObject({ status: 200 });
  await served.answer(ask, "deny");
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

test.each(["61s", "2m", "-1s", "30", "soon", "1h", "9999999s"])(
  "a wait of %s is refused",
  async (wait) => {
    await using served = await serveProgram();
    const { interactionId } = await served.ask();
    const answer = await served.asks(`/${interactionId}?wait=${wait}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  },
);

test("[R-13] [R-5] an ask cannot have wider scopes, a grant, another person's session or a response", async () => {
  await using served = await serveProgram();
  for (const more of [
    { approvalScopes: ["always"] },
    { grantKey: "all" },
    { scopeText: { always: "everything" } },
    { sessionId: "ses_1" },
    { onTimeout: "approve" },
    { response: { action: "approve" } },
    { toolName: "Bash" },
    { label: "" },
    { prompt: " " },
    { timeoutMs: 0 },
    { timeoutMs: -1 },
    { idempotencyKey: "short" },
    { kind: "anything" },
  ]) {
    const answer = await served.asks("", { method: "POST", body: { ...deploy, ...more } });
    expect({ more, status: answer.status }).toEqual({ more, status: 400 });
  }
  const { items } = await served.gateway.listInteractions(ada, { status: ["pending"], limit: 10 });
  expect(items).toEqual([]);
});

test("a revoked token cannot ask, and its asks are withdrawn", async () => {
  await using served = await serveProgram();
  const ask = await served.ask();
  const waiting = served.asks(`/${ask.interactionId}?wait=1m`);
  await served.waiters(1);
  const { items } = await served.gateway.listAgentTokens(ada);
  const { tokenId } = items.find(({ label }) => label === "CI")!;
  await served.gateway.revokeAgentToken(ada, tokenId);
  expect(await waiting).toMatchObject({ body: { status: "withdrawn" } });
  expect(await served.asks(`/${ask.interactionId}`)).toMatchObject({ status: 401 });
});
