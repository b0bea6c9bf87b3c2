import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openLine } from "./browser/support/line.ts";
import { Api, pending, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, spawnGateway, startGateway } from "./support/gateway-process.ts";

/** The Claude program that the adapter also runs. */
const CLAUDE = fileURLToPath(
  import.meta.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`),
);

let gateway: GatewayProcess;
let api: Api;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-agent-token-"));
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `holdpoint agent-token` to its end. */
async function agentToken(...args: readonly string[]) {
  const child = spawnGateway(["agent-token", ...args], { cwd: folder });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

const issue = (label: string) => agentToken("--label", label, "--data-dir", gateway.dataDir);

/** Sends a message to the gateway's socket as a program of the same user, and returns the reply. */
async function sendToSocket(message: string): Promise<string> {
  const socket = connect(join(gateway.dataDir, "control.sock"));
  socket.on("error", () => undefined);
  socket.end(message);
  return text(socket).catch(() => "");
}

describe("holdpoint agent-token", () => {
  test("prints settings that connect a client the gateway did not start", async () => {
    const { code, stdout, stderr } = await issue("Codex");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const json = JSON.parse(stdout.slice(stdout.indexOf("\n{"), stdout.lastIndexOf("}") + 1)) as {
      mcpServers: { holdpoint: { url: string; headers: { Authorization: string } } };
    };
    const { url, headers } = json.mcpServers.holdpoint;
    const token = headers.Authorization.replace("Bearer ", "");
    expect(url).toBe(`${gateway.url}/mcp`);
    expect(stdout).toContain(
      `claude mcp add --transport http holdpoint ${url} --header "Authorization: Bearer ${token}"\n`,
    );
    expect(stdout).toContain(
      `[mcp_servers.holdpoint]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\ndefault_tools_approval_mode = "approve"\ntool_timeout_sec = 300\n`,
    );

    await using connected = await connectMcp(url, token);
    const called = connected.client.callTool({
      name: "ask_user",
      arguments: { question: "Which?" },
    });
    const { body } = await api.call<{ items: { label: string; sessionId: string }[] }>(
      "GET",
      "/agent-tokens",
    );
    const { sessionId } = body.items.find(({ label }) => label === "Codex")!;
    const { interactionId } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "submit", values: { answer: "luxon" } });
    expect((await called).content).toMatchObject([{ text: expect.stringContaining("luxon") }]);
  });

  test("prints a command that connects Claude Code as it is", async () => {
    const { stdout } = await issue("Claude Code");
    const line = stdout.split("\n").find((text) => text.startsWith("claude mcp add"))!;
    const bin = join(folder, "bin");
    await mkdir(bin);
    await symlink(CLAUDE, join(bin, "claude"));
    const home = join(folder, "home");
    const env = {
      ...process.env,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      PATH: `${bin}:/usr/bin:/bin`,
    };
    const run = async (command: string): Promise<string> => {
      const shell = spawn("/bin/sh", ["-c", command], { cwd: folder, env });
      const [output] = await Promise.all([text(shell.stdout), once(shell, "exit")]);
      return output;
    };
    await run(line);
    expect(await run("claude mcp list")).toMatch(/^holdpoint: .*\/mcp \(HTTP\) .*Connected$/mu);
  });

  test("prints one line of JSON with --json, with an agent's token", async () => {
    const { stdout } = await agentToken("--json", "--label", "CI", "--data-dir", gateway.dataDir);
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
    const { token } = JSON.parse(stdout) as { token: string };
    const answer = await new Api(gateway.url, { token }).call("GET", "/sessions");
    expect(answer.status).toBe(403);
  });

  test.each([
    ["no label", [], "--label"],
    ["a flag of another command", ["--label", "x", "--port", "1"], "--port"],
    ["a folder that no gateway runs with", ["--label", "x", "--data-dir", "gone"], "gone"],
    ["a label without end", ["--label", "x".repeat(101), "--data-dir", "DATA"], "label"],
  ])("refuses %s in one line that names it, with exit code 2", async (_, args, named) => {
    const given = args.map((arg) => (arg === "DATA" ? gateway.dataDir : arg));
    const { code, stdout, stderr } = await agentToken(...given);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/);
    expect(stderr).toContain(named);
  });
});

describe("a client with a queued call", () => {
  test("[R-2] [R-4] can fetch the answer later any number of times, even after client and gateway were restarted", async () => {
    const config = join(folder, "impatient.json");
    await writeFile(config, JSON.stringify({ toolHoldLimitMs: 1000 }));
    await using first = await startGateway({ args: ["--config", config] });
    const before = new Api(first.url);
    const issued = await before.call<{ token: string; sessionId: string }>(
      "POST",
      "/auth/agent-tokens",
      { label: "Impatient" },
    );
    const { token, sessionId } = issued.body;
    await using client = await connectMcp(`${first.url}/mcp`, token);
    const question = { name: "ask_user", arguments: { question: "Which library?" } };
    expect((await client.client.callTool(question)).structuredContent).toMatchObject({
      status: "queued",
    });
    const { interactionId } = await pending(before, sessionId);
    await first.stop("SIGKILL");

    await using second = await startGateway({
      dataDir: first.dataDir,
      args: ["--config", config],
    });
    await using later = await connectMcp(`${second.url}/mcp`, token);
    const ask = async (wait: boolean) =>
      (await later.client.callTool({ name: "get_answers", arguments: { wait } }))
        .structuredContent as { new: string[]; waiting: object[]; earlier: string[] };
    expect(await ask(false)).toEqual({
      new: [],
      waiting: [{ interactionId, asked: "Which library?" }],
      earlier: [],
    });
    await new Api(second.url).respond(interactionId, {
      action: "submit",
      values: { answer: "luxon" },
    });
    const told = await until(async () => (await ask(true)).new[0], "the answer");
    expect(told).toContain("luxon");
    expect(await ask(false)).toEqual({ new: [], waiting: [], earlier: [told] });
  });
});

/** Starts Claude outside the gateway, with a model that calls `ask_user` and then says something. */
async function startClaude(label: string) {
  const open = new AsyncDisposableStack();
  const line = open.use(await openLine());
  const behind = open.use(await startGateway({ env: { HOLDPOINT_PUBLIC_URL: line.url } }));
  line.connectTo(Number(new URL(behind.url).port));
  const waits = line.sent("requestState");
  const api = new Api(behind.url);
  const { body } = await api.call<{ token: string; sessionId: string }>(
    "POST",
    "/auth/agent-tokens",
    { label },
  );
  const ask = callTool("mcp__holdpoint__ask_user", { question: "Which?" });
  const model = open.use(await openScriptedModel(inOrder([[ask], [say("I went on.")]])));
  const server = {
    type: "http",
    url: `${line.url}/mcp`,
    headers: { authorization: `Bearer ${body.token}` },
  };
  const config = JSON.stringify({ mcpServers: { holdpoint: server } });
  const args = ["--strict-mcp-config", "--mcp-config", config];
  const allowed = ["--allowedTools", "mcp__holdpoint__ask_user"];
  const claude = spawn(CLAUDE, ["--print", "Ask.", ...args, ...allowed], {
    cwd: folder,
    env: { ...process.env, ...model.env(join(folder, label)), MCP_TOOL_TIMEOUT: "8000" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(claude, "exit");
  open.defer(async () => {
    claude.kill("SIGKILL");
    await exited;
  });
  const { interactionId } = await pending(api, body.sessionId);
  // The gateway knows that Claude is gone only once Claude returns with the state it was given.
  await waits;
  return {
    api,
    model,
    interactionId,
    claude,
    said: text(claude.stdout),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** The interaction once it is no longer pending. */
function endOfWait({ api, interactionId }: { api: Api; interactionId: string }) {
  return until(async () => {
    const current = await api.interaction(interactionId);
    return current.status === "pending" ? undefined : current;
  }, "the end of the wait");
}

describe("Claude that the gateway did not start", () => {
  test("[R-5] withdraws its question when it gives up waiting, and continues", async () => {
    await using scene = await startClaude("impatient");
    expect(await scene.said).toContain("I went on.");
    const interaction = await endOfWait(scene);
    expect(interaction).toMatchObject({ status: "withdrawn" });
    expect(interaction.response).toBeUndefined();
    const late = await scene.api.respond(scene.interactionId, {
      action: "submit",
      values: { answer: "luxon" },
    });
    expect(late).toMatchObject({ status: 410, body: { code: "WITHDRAWN" } });
    expect(scene.model.requests.at(-1)?.results).toHaveLength(1);
    expect(JSON.stringify(scene.model.requests.at(-1)?.results)).not.toContain("luxon");
  });

  test("[R-5] withdraws its question when it is killed, and the question gets no answer", async () => {
    await using scene = await startClaude("killed");
    scene.claude.kill("SIGKILL");
    const interaction = await endOfWait(scene);
    expect(interaction).toMatchObject({ status: "withdrawn" });
    expect(interaction.response).toBeUndefined();
  });
});

describe("the gateway's socket", () => {
  test("is accessible to its user only", async () => {
    const { mode } = await stat(join(gateway.dataDir, "control.sock"));
    expect(mode & 0o077).toBe(0);
  });

  test("refuses everything except the known commands", async () => {
    const request = (command: string, more = {}) =>
      JSON.stringify({ command, label: "x", ...more });
    const wrong = ["", "{", "null", "5", "[".repeat(10_000), request("approve")];
    for (const message of [...wrong, request("agent-token", { person: "Eve" })]) {
      expect(JSON.parse(await sendToSocket(message))).toEqual({ error: expect.any(String) });
    }
    const padded = request("agent-token") + " ".repeat(20_000);
    expect(await sendToSocket(padded)).not.toContain("token");
    const { body } = await api.call<{ items: { label: string }[] }>("GET", "/agent-tokens");
    expect(body.items.filter(({ label }) => label.startsWith("x"))).toEqual([]);
  });

  test("is created again after the gateway was killed", async () => {
    await using first = await startGateway();
    await first.stop("SIGKILL");
    expect((await stat(join(first.dataDir, "control.sock"))).isSocket()).toBe(true);
    await using second = await startGateway({ dataDir: first.dataDir });
    const { code } = await agentToken("--label", "Codex", "--data-dir", second.dataDir);
    expect(code).toBe(0);
  });
});
