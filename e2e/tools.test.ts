import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Api, endOfTurn, pending, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, startGateway, TOKEN } from "./support/gateway-process.ts";

const EXAMPLES = fileURLToPath(new URL("../examples", import.meta.url));

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

/** Starts the gateway as a person would with the example's config, and a Claude that uses the scripted model. */
async function start(example: string, env: Record<string, string> = {}): Promise<void> {
  gateway = await startGateway({
    dataDir: `${folder}.data`,
    cwd: folder,
    args: ["--cwd", folder, "--config", join(EXAMPLES, example, "holdpoint.config.ts")],
    env: { ...model.env(join(folder, "claude")), ...env },
  });
  api = new Api(gateway.url);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-tools-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});
beforeEach(() => model.play(() => [say("Nothing to do.")]));
afterEach(() => expect(model.failures).toEqual([]));

const tool = (name: string, args: object, id?: string) =>
  callTool(`mcp__holdpoint__${name}`, args as Record<string, unknown>, id);

async function turn(prompt: string): Promise<string> {
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, prompt);
  return sessionId;
}

const done = (sessionId: string) => endOfTurn(api, sessionId);

/** The model's last tool results. */
function told(): unknown[] {
  const results = model.requests.at(-1)?.results ?? [];
  return results.map(({ text }) => JSON.parse(text) as unknown);
}

async function next(sessionId: string, before: Interaction): Promise<Interaction> {
  return until(
    async () =>
      (await api.interactions(sessionId, "pending")).find(
        ({ interactionId }) => interactionId !== before.interactionId,
      ),
    "the next interaction",
  );
}

describe("Claude and a tool that needs an approval", () => {
  beforeAll(() => start("delete-files"));
  afterAll(() => gateway[Symbol.asyncDispose]());

  const file = (name: string) => join(folder, name);
  const write = (...names: string[]) => Promise.all(names.map((name) => writeFile(file(name), "")));
  const remove = (...names: string[]) => tool("delete_files", { names });
  const approve = (
    { interactionId, approval }: Interaction,
    approvalScope: "once" | "session" | "always",
  ) => api.respond(interactionId, { action: "approve", digest: approval!.digest, approvalScope });

  test("the gateway lists it with its file, after the built-in ones", async () => {
    const { body } = await api.call<{ items: object[] }>("GET", "/tools");
    expect(body.items).toMatchObject([
      { name: "ask_user", source: "built-in" },
      { name: "delete_files", source: "tools/delete-files.ts" },
    ]);
  });

  test("[R-6] a call approved once is executed once, and belongs to Claude's own call", async () => {
    await write("a.txt", "b.txt");
    model.play(
      inOrder([
        [tool("delete_files", { names: ["a.txt"] }, "toolu_1")],
        [remove("b.txt")],
        [say("Done.")],
      ]),
    );
    const sessionId = await turn("Delete them one by one.");
    const first = await pending(api, sessionId);
    expect(first).toMatchObject({
      kind: "approval",
      toolCallId: "toolu_1",
      prompt: "Delete a file?",
      approval: { input: { files: [file("a.txt")] }, scopes: ["once", "session", "always"] },
    });
    expect(existsSync(file("a.txt"))).toBe(true);
    await approve(first, "once");
    const second = await next(sessionId, first);
    expect(existsSync(file("a.txt"))).toBe(false);
    const denied = { action: "deny", reason: "Keep it." } as const;
    await api.respond(second.interactionId, denied);
    await done(sessionId);
    expect(told()).toEqual([{ deleted: [], reason: "A person has refused it." }]);
    expect(existsSync(file("b.txt"))).toBe(true);
    const types = (await api.events(sessionId)).map(({ type }) => type);
    expect(types.indexOf("tool_call")).toBeLessThan(types.indexOf("interaction_request"));
  });

  test("a call approved for the session is not asked again there, but in another session it is", async () => {
    await write("c.txt", "d.txt", "e.txt");
    model.play(
      inOrder([
        [remove("c.txt")],
        [remove("d.txt")],
        [say("Done.")],
        [remove("e.txt")],
        [say("No.")],
      ]),
    );
    const sessionId = await turn("Delete them one by one.");
    await approve(await pending(api, sessionId), "session");
    await done(sessionId);
    expect(told()).toEqual([{ deleted: ["d.txt"] }]);
    const events = await api.events(sessionId);
    expect(events.filter(({ type }) => type === "interaction_request")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "grant_used")).toHaveLength(1);

    const other = await turn("Delete the last one.");
    await api.respond((await pending(api, other)).interactionId, { action: "deny" });
    await done(other);
    expect(existsSync(file("e.txt"))).toBe(true);
  });

  test("a file outside the working directory is an error, and no one is asked", async () => {
    model.play(inOrder([[tool("delete_files", { folder: "..", names: ["x"] })], [say("No.")]]));
    const sessionId = await turn("Delete something else.");
    await done(sessionId);
    expect(told()).toMatchObject([
      { status: "error", message: expect.stringContaining("outside") },
    ]);
    expect(model.requests.at(-1)?.results[0]?.isError).toBe(true);
  });

  test("a person's Stop ends the wait, and the tool does nothing", async () => {
    await write("f.txt");
    model.play(inOrder([[remove("f.txt")]]));
    const sessionId = await turn("Delete it.");
    const { interactionId } = await pending(api, sessionId);
    await api.stop(sessionId);
    await done(sessionId);
    expect(await api.interaction(interactionId)).toMatchObject({ status: "withdrawn" });
    expect(existsSync(file("f.txt"))).toBe(true);
  });

  test("[R-4] [R-5] a gateway killed during the wait approves nothing, and the approval counts once at the next one", async () => {
    await write("g.txt");
    model.play(inOrder([[remove("g.txt")], [say("Done.")]]));
    const sessionId = await turn("Delete it.");
    const { interactionId, approval } = await pending(api, sessionId);
    const asked = model.requests.length;
    await gateway.stop("SIGKILL");
    await start("delete-files");
    expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
    expect(model.requests).toHaveLength(asked);
    expect(existsSync(file("g.txt"))).toBe(true);
    const yes = { action: "approve", digest: approval!.digest } as const;
    expect((await api.respond(interactionId, yes)).status).toBe(200);
    await done(sessionId);
    expect(await api.interaction(interactionId)).toMatchObject({
      status: "delivered",
      how: "resumed",
    });
    expect(told()).toEqual([{ deleted: ["g.txt"] }]);
    expect(model.requests).toHaveLength(asked + 1);
    expect(existsSync(file("g.txt"))).toBe(false);
  });
});

describe("Claude and a tool that asks with a form", () => {
  // An answer takes longer than the gateway holds a call.
  beforeAll(() => start("collect-email", { HOLDPOINT_HOLD_TIMEOUT_MS: "4000" }));
  afterAll(() => gateway[Symbol.asyncDispose]());

  const collect = tool("collect_email", { reason: "Where shall the report go?" });
  const send = ({ interactionId }: Interaction, values: Record<string, unknown>) =>
    api.respond(interactionId, { action: "submit", values });

  test("asks a person and gets the answer", async () => {
    model.play(inOrder([[tool("ask_user", { question: "Which library?" })], [say("Thanks.")]]));
    const sessionId = await turn("Ask me.");
    const asked = await pending(api, sessionId);
    expect(asked).toMatchObject({ kind: "form", prompt: "Which library?" });
    expect((await send(asked, { answer: "luxon" })).status).toBe(200);
    await done(sessionId);
    expect(told()).toEqual([{ status: "answered", answer: "luxon" }]);
    expect(await api.interaction(asked.interactionId)).toMatchObject({ status: "delivered" });
  });

  test("[R-12] Claude can ask in plan mode without a permission", async () => {
    model.play(inOrder([[tool("ask_user", { question: "Which plan?" })], [say("Thanks.")]]));
    const permissionMode = "plan";
    const { sessionId } = await api.createSession({ agent: "claude", permissionMode });
    await api.send(sessionId, "Ask me.");
    const asked = await pending(api, sessionId);
    expect(asked).toMatchObject({ kind: "form", prompt: "Which plan?" });
    await send(asked, { answer: "B" });
    await done(sessionId);
    expect(told()).toEqual([{ status: "answered", answer: "B" }]);
  });

  test("a form is checked, asked again with the sent values, and accepted", async () => {
    model.play(inOrder([[collect], [say("Thanks.")]]));
    const sessionId = await turn("Get my address.");
    const first = await pending(api, sessionId);
    expect(await send(first, { email: "ada" })).toMatchObject({
      status: 422,
      body: { fieldErrors: { "values.email": expect.any(String) as string } },
    });
    await send(first, { email: "ada@example.com", newsletter: false });
    const second = await next(sessionId, first);
    expect(second).toMatchObject({
      previousId: first.interactionId,
      attempt: 2,
      error: "This address cannot receive mail.",
      fieldErrors: { email: "Use an address of your own." },
      form: { initialValues: { email: "ada@example.com", newsletter: false } },
    });
    await send(second, { email: "Ada@Lovelace.example", newsletter: true });
    await done(sessionId);
    expect(told()).toEqual([
      { status: "collected", email: "ada@lovelace.example", newsletter: true },
    ]);
  });

  test("a call that is not answered in time ends as queued, and its answer comes as a message", async () => {
    model.play(inOrder([[collect], [say("I go on.")], [say("Thanks.")]]));
    const sessionId = await turn("Get my address.");
    const asked = await pending(api, sessionId);
    await done(sessionId);
    expect(told()).toEqual([
      { status: "queued", message: "They were asked, and have not answered yet." },
    ]);
    expect(await api.interaction(asked.interactionId)).toMatchObject({
      status: "pending",
      hold: "queued",
    });
    const requests = model.requests.length;
    expect((await send(asked, { email: "ada@lovelace.example" })).status).toBe(200);
    await until(async () => model.requests.length > requests, "Claude to be told");
    expect(model.requests.at(-1)?.lastPrompt).toContain("ada@lovelace.example");
    expect(await api.interaction(asked.interactionId)).toMatchObject({ how: "user_message" });
  });
});

describe("an MCP client that the gateway did not start", () => {
  beforeAll(() => start("collect-email"));
  afterAll(() => gateway[Symbol.asyncDispose]());

  interface Issued {
    readonly token: string;
    readonly tokenId: string;
    readonly sessionId: string;
    readonly url: string;
  }
  const issue = async (label: string) =>
    (await api.call<Issued>("POST", "/auth/agent-tokens", { label })).body;
  const ask = (question: string) => ({ name: "ask_user", arguments: { question } });

  test("[R-13] needs an agent's token, which is valid for nothing else", async () => {
    const { token, tokenId, url } = await issue("Codex");
    const wrong = { "": "UNAUTHENTICATED", unknown: "UNAUTHENTICATED", [TOKEN]: "FORBIDDEN" };
    for (const [other, code] of Object.entries(wrong)) {
      await expect(connectMcp(url, other)).rejects.toThrow(code);
    }
    const agent = new Api(gateway.url, { token });
    expect((await agent.call("GET", "/sessions")).status).toBe(403);
    expect((await agent.call("GET", "/interactions")).status).toBe(403);
    await using connected = await connectMcp(url, token);
    expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual([
      "ask_user",
      "collect_email",
      "get_answers",
    ]);
    expect((await api.call("DELETE", `/agent-tokens/${tokenId}`)).status).toBe(204);
    await expect(connectMcp(url, token)).rejects.toThrow("UNAUTHENTICATED");
  });

  test("asks a person, who sees its call, and gets the answer", async () => {
    const { token, sessionId, url } = await issue("Codex");
    await using connected = await connectMcp(url, token);
    const called = connected.client.callTool(ask("Which library?"));
    const { interactionId, turnId } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "submit", values: { answer: "luxon" } });
    expect(await called).toMatchObject({
      content: [{ type: "text", text: '{"status":"answered","answer":"luxon"}' }],
      structuredContent: { status: "answered", answer: "luxon" },
    });
    await done(sessionId);
    expect(await api.events(sessionId)).toMatchObject([
      { type: "turn_started", turnId },
      { type: "tool_call", toolName: "ask_user", input: { question: "Which library?" } },
      { type: "interaction_request" },
      { type: "interaction_response" },
      { type: "interaction_delivered", how: "resumed" },
      { type: "tool_result", isError: false },
      { type: "turn_ended", reason: "done" },
    ]);
  });

  test("that gives up a call withdraws its request", async () => {
    const { token, sessionId, url } = await issue("Codex");
    await using connected = await connectMcp(url, token);
    const abort = new AbortController();
    const options = { signal: abort.signal };
    const called = connected.client.callTool(ask("Which library?"), undefined, options);
    const { interactionId } = await pending(api, sessionId);
    abort.abort();
    await expect(called).rejects.toThrow("aborted");
    await until(
      async () => (await api.interaction(interactionId)).status === "withdrawn",
      "the question to be withdrawn",
    );
  });

  test("cannot be written to, and gets a late answer with the result of its next call", async () => {
    const { token, sessionId } = await issue("Codex");
    const refused = await api.call("POST", `/sessions/${sessionId}/messages`, { content: "Hello" });
    expect(refused).toMatchObject({ status: 409, body: { code: "AGENT_UNAVAILABLE" } });

    await gateway.stop("SIGTERM");
    await start("collect-email", { HOLDPOINT_HOLD_TIMEOUT_MS: "1000" });
    await using connected = await connectMcp(`${gateway.url}/mcp`, token);
    const { client } = connected;
    const email = { name: "collect_email", arguments: { reason: "For the report" } };
    expect(await client.callTool(email)).toMatchObject({ structuredContent: { status: "queued" } });
    const { interactionId } = await pending(api, sessionId);
    const values = { email: "ada@lovelace.example" };
    expect((await api.respond(interactionId, { action: "submit", values })).status).toBe(200);
    await until(
      async () => (await api.interaction(interactionId)).status === "delivered",
      "the answer to be on its way",
    );
    const called = client.callTool(ask("And your name?"));
    const next = await pending(api, sessionId);
    await api.respond(next.interactionId, { action: "submit", values: { answer: "Ada" } });
    expect(await called).toMatchObject({
      content: [
        { text: '{"status":"answered","answer":"Ada"}' },
        { text: expect.stringContaining("ada@lovelace.example") as string },
      ],
    });
  });
});
