import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import {
  callTool,
  inOrder,
  type ModelBlock,
  openScriptedModel,
  say,
} from "@holdpoint/agents/testing";
import { CREDENTIAL_LIMITS, type InteractionList } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { rows } from "./support/breadth.ts";
import { type GatewayProcess, startGateway, TOKEN } from "./support/gateway-process.ts";
import { readProcessTree } from "./support/process-tree.ts";
import { timeHere } from "./support/time-here.ts";

const CONNECTIONS = 2000;
const PAYLOAD = Buffer.alloc(200_000, "a");
/** How much more memory the process may hold than before, at its peak and at the end. */
const HIGHEST_MIB = 200;
const LASTING_MIB = 60;
/** How long a busy machine may take to receive a flood. */
const ARRIVAL_MS = 30_000;
const SLOW = { timeout: 300_000 };
/** How often to check, every quarter of a second, until it has released the memory. */
const MOST_LOOKS = 240;

let gateway: GatewayProcess;
let api: Api;
beforeEach(async () => {
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterEach(() => gateway[Symbol.asyncDispose]());

function residentMiB(pid = gateway.pid): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function host(): string {
  return new URL(gateway.url).host;
}

function upgrade(): string {
  const key = randomBytes(16).toString("base64");
  return `GET /api/ws HTTP/1.1\r\nHost: ${host()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
}

/** A text frame that announces this many bytes, masked with zeros, followed by the part that is sent. */
function frame(announced: number, sent: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(announced), 2);
  return Buffer.concat([head, sent]);
}

/** Whether all of its data has been sent, or the gateway has closed it. */
function hasAttacked(socket: Socket): boolean {
  return socket.destroyed || (!socket.connecting && socket.writableLength === 0);
}

/** Opens that many connections, sends the attack on each, and returns those that the gateway keeps. */
async function flood(count: number, attack: (socket: Socket) => void): Promise<Socket[]> {
  const { hostname, port } = new URL(gateway.url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname, () => attack(socket));
    socket.on("error", () => undefined).resume();
    return socket;
  });
  await until(() => Promise.resolve(sockets.every(hasAttacked)), "the flood to arrive", ARRIVAL_MS);
  await setTimeout(500);
  return sockets;
}

async function useOrdinarily(): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => api.call("GET", "/sessions")));
}

/** Waits until the process has released the memory, which it delays while it is busy. */
async function becomesQuiet(beforeMiB: number): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (residentMiB() - beforeMiB < LASTING_MIB) return;
    await setTimeout(250);
  }
}

/** Ordinary use makes the process grow to a certain size, which it should have before a flood is measured. */
async function settleDown(): Promise<void> {
  for (let round = 0; round < 30; round += 1) await useOrdinarily();
}

interface Measured {
  readonly highestMiB: number;
  readonly lastingMiB: number;
}

/** The flood's cost to the gateway: at its peak, and a while after the attacker has left. */
async function measure(count: number, attack: (socket: Socket) => void): Promise<Measured> {
  await settleDown();
  const beforeMiB = residentMiB();
  let highestMiB = beforeMiB;
  const sockets = await flood(count, attack);
  // Longer than the gateway's interval for checking its memory: memory in use at one check must not count for ever.
  for (let sample = 0; sample < 60; sample += 1) {
    highestMiB = Math.max(highestMiB, residentMiB());
    await setTimeout(100);
  }
  for (const socket of sockets) socket.destroy();
  await becomesQuiet(beforeMiB);
  return { highestMiB: highestMiB - beforeMiB, lastingMiB: residentMiB() - beforeMiB };
}

const json = "Content-Type: application/json\r\n";

type Flood = readonly [name: string, attack: (socket: Socket) => void];

const FLOODS = rows<Flood>(
  [
    [
      "first frames of 200 kB on WebSockets",
      (socket) => socket.write(Buffer.concat([Buffer.from(upgrade()), frame(250_000, PAYLOAD)])),
    ],
    [
      "bodies of 200 kB in pieces with a wrong token",
      (socket) => {
        socket.write(
          `POST /api/sessions HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${"x".repeat(43)}\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
        );
        socket.write(`30d40\r\n`);
        socket.write(PAYLOAD);
      },
    ],
    [
      "headers without an end",
      (socket) =>
        socket.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\nX-Long: ${"h".repeat(15_000)}`),
    ],
  ],
  [
    ["WebSockets on which nothing is said", (socket) => socket.write(upgrade())],
    [
      "bodies of 200 kB for signing in",
      (socket) => {
        socket.write(
          `POST /api/auth/exchange HTTP/1.1\r\nHost: ${host()}\r\n${json}Content-Length: 250000\r\n\r\n`,
        );
        socket.write(PAYLOAD);
      },
    ],
  ],
);

describe.skipIf(process.platform !== "linux")("strangers who flood the gateway", () => {
  test.for(FLOODS)(
    "[R-20] cost it little memory, and no lasting memory: %s",
    async ([name, attack], { annotate }) => {
      const { highestMiB, lastingMiB } = await measure(CONNECTIONS, attack);
      await annotate(
        `${CONNECTIONS} connections, ${name}: +${highestMiB.toFixed(0)} MiB, then +${lastingMiB.toFixed(0)} MiB`,
        "cases",
      );
      expect(highestMiB).toBeLessThan(HIGHEST_MIB);
      expect(lastingMiB).toBeLessThan(LASTING_MIB);
    },
  );
});

interface AgentAccess {
  readonly token: string;
  readonly sessionId: string;
}

const TOKENS = 101;
const CALLS_OF_TOKEN = 8;

/** An agent's HTTP request of the Model Context Protocol. */
async function postMcp(token: string, message: object, mcpSession?: string): Promise<Response> {
  return fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(mcpSession !== undefined && { "mcp-session-id": mcpSession }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    signal: leaving.signal,
  });
}

let leaving: AbortController;

async function openAgent(label: string): Promise<AgentAccess & { mcpSession: string }> {
  const { body } = await api.call<AgentAccess>("POST", "/auth/agent-tokens", { label });
  const clientInfo = { name: "flood", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const opened = await postMcp(body.token, { id: 0, method: "initialize", params });
  await opened.text();
  return { ...body, mcpSession: opened.headers.get("mcp-session-id") ?? "" };
}

async function openAgents(count: number): Promise<Awaited<ReturnType<typeof openAgent>>[]> {
  const agents = [];
  for (let index = 0; index < count; index += 1) agents.push(await openAgent(`Agent ${index}`));
  return agents;
}

/** Without a client that can answer, agents would not wait. */
async function openPage(): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, "x-holdpoint-client": "page" };
  await fetch(`${gateway.url}/api/events`, { headers, signal: leaving.signal });
}

interface FloodOfCalls {
  readonly refusals: readonly { readonly status: number; readonly retryAfter: string | null }[];
  /** The number of connections that the gateway ended, possibly before it read a token. */
  readonly ended: () => number;
}

/** Each agent asks this many long questions at the same time. */
function floodWithCalls(agents: Awaited<ReturnType<typeof openAgents>>): FloodOfCalls {
  const question = "?".repeat(1900);
  const choices = Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(190, "x"));
  const params = { name: "ask_user", arguments: { question, choices } };
  const refusals: { readonly status: number; readonly retryAfter: string | null }[] = [];
  let ended = 0;
  for (const { token, mcpSession } of agents) {
    for (let call = 0; call < CALLS_OF_TOKEN; call += 1) {
      const message = { id: (calls += 1), method: "tools/call", params };
      const asking = async (): Promise<void> => {
        const answer = await postMcp(token, message, mcpSession);
        const retryAfter = answer.headers.get("retry-after");
        if (!answer.ok) refusals.push({ status: answer.status, retryAfter });
        await answer.text();
      };
      asking().catch(() => void (ended += 1));
    }
  }
  return { refusals, ended: () => ended };
}

/** The number of tool calls so far, for unique ids. */
let calls = 0;

describe.skipIf(process.platform !== "linux")("agents that flood the gateway", () => {
  beforeEach(() => void (leaving = new AbortController()));
  afterEach(() => leaving.abort());

  test(`[R-20] ${TOKENS} tokens with ${CALLS_OF_TOKEN} questions each get a typed refusal, and a person can still deny and stop`, async ({
    annotate,
  }) => {
    const agents = await openAgents(TOKENS);
    await openPage();
    const beforeMiB = residentMiB();
    const { refusals, ended } = floodWithCalls(agents);
    const planned = TOKENS * CALLS_OF_TOKEN;
    const { runningCallsPerPerson: most } = CREDENTIAL_LIMITS;
    await until(async () => refusals.length + ended() >= planned - most, "the refusals");
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter(({ status, retryAfter }) => status !== 429 || !retryAfter)).toEqual([]);

    const { sessionId } = agents[0]!;
    const { interactionId } = await pending(api, sessionId);
    const startedAtMs = performance.now();
    const denied = await api.respond(interactionId, { action: "cancel", reason: "No." });
    const stopped = await api.call("POST", `/sessions/${sessionId}/stop`, {});
    const tookMs = performance.now() - startedAtMs;
    expect([denied.status, stopped.status]).toEqual([200, 202]);
    expect(tookMs).toBeLessThan(timeHere(2000));
    const highestMiB = residentMiB() - beforeMiB;
    expect(highestMiB).toBeLessThan(2 * HIGHEST_MIB);
    expect(
      (await openAgents(CREDENTIAL_LIMITS.agentTokensPerPerson - TOKENS)).at(-1),
    ).toBeDefined();
    const surplus = await api.call("POST", "/auth/agent-tokens", { label: "One more" });
    expect(surplus).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    await annotate(
      `${planned} calls of ${TOKENS} tokens: +${highestMiB.toFixed(0)} MiB, no and stop after ${tookMs.toFixed(0)} ms`,
      "cases",
    );
  });

  test("[R-20] leave nothing in its memory", SLOW, async ({ annotate }) => {
    const agents = await openAgents(TOKENS);
    const planned = TOKENS * CALLS_OF_TOKEN - CREDENTIAL_LIMITS.runningCallsPerPerson;
    await settleDown();
    leaving = new AbortController();
    const beforeMiB = residentMiB();
    await openPage();
    const { refusals, ended } = floodWithCalls(agents);
    await until(async () => refusals.length + ended() >= planned, "the refusals");
    const highestMiB = residentMiB() - beforeMiB;
    leaving.abort();
    const left = async () => (await pendingCount()) === 0;
    await until(left, "the end of what the agents have asked");
    await becomesQuiet(beforeMiB);
    const lastingMiB = residentMiB() - beforeMiB;
    await annotate(
      `${TOKENS * CALLS_OF_TOKEN} calls: +${highestMiB.toFixed(0)} MiB, then +${lastingMiB.toFixed(0)} MiB`,
      "cases",
    );
    expect(highestMiB).toBeLessThan(2 * HIGHEST_MIB);
    expect(lastingMiB).toBeLessThan(LASTING_MIB);
  });
});

async function pendingCount(): Promise<number> {
  const { body } = await api.call<InteractionList>("GET", "/interactions?status=pending&limit=1");
  return body.items.length;
}

/** The output of an agent in one turn: long texts, and commands with long output. */
const OUTPUT: readonly (readonly ModelBlock[])[] = [
  [
    say("word ".repeat(60_000)),
    ...Array.from({ length: 2 }, () =>
      callTool("Bash", { command: "yes 0123456789 | head -c 6000000", description: "Flood" }),
    ),
  ],
  [say("Done.")],
];

describe.skipIf(process.platform !== "linux")("an agent that floods the gateway with text", () => {
  test(
    "[R-20] leaves nothing in the memory of the gateway and of its host",
    SLOW,
    async ({ annotate }) => {
      await gateway[Symbol.asyncDispose]();
      const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-floods-")));
      await using model = await openScriptedModel(() => [say("Nothing to do.")]);
      const env = { ...model.env(join(folder, "claude")), HOME: folder, IS_SANDBOX: "1" };
      gateway = await startGateway({
        dataDir: `${folder}.data`,
        cwd: folder,
        args: ["--cwd", folder],
        env,
      });
      api = new Api(gateway.url);
      const mode = { permissionMode: "bypassPermissions" };
      const { sessionId } = await api.createSession({ agent: "claude", ...mode });
      const runTurn = async (): Promise<void> => {
        const { turnId } = await api.send(sessionId, "Go");
        const isOver = async () =>
          (await api.events(sessionId)).find(
            (event) => event.type === "turn_ended" && event.turnId === turnId,
          );
        expect(await until(isOver, "the end of the turn", 60_000)).toMatchObject({
          reason: "done",
        });
      };
      await runTurn();
      await settleDown();
      const beforeMiB = residentMiB();
      const [hostBefore = 0] = hostsMiB();
      model.play(inOrder(OUTPUT));
      await runTurn();
      await becomesQuiet(beforeMiB);
      const [hostAfter = 0] = hostsMiB();
      const left = { gateway: residentMiB() - beforeMiB, host: hostAfter - hostBefore };
      const characters = JSON.stringify(await api.events(sessionId)).length;
      for (const path of [folder, `${folder}.data`]) {
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
      }
      await annotate(
        `${(characters / 1e6).toFixed(1)} million characters of an agent: then +${left.gateway.toFixed(0)} MiB in the gateway, +${left.host.toFixed(0)} MiB in its host`,
        "cases",
      );
      expect(characters).toBeGreaterThan(300_000);
      expect(left.gateway).toBeLessThan(LASTING_MIB);
      expect(left.host).toBeLessThan(LASTING_MIB);
    },
  );
});

/** The simultaneous calls of an agent, by the message that begins the turn. */
const AT_ONCE: Readonly<Record<string, readonly ModelBlock[]>> = {
  words: [0, 1, 2, 3].map((index) =>
    callTool("Bash", { command: `echo ${`"$(a${index})" `.repeat(40_000)}`, description: "Words" }),
  ),
  output: [callTool("Bash", { command: "yes 0123456789 | head -c 50000000", description: "Long" })],
  calls: Array.from({ length: 1000 }, (_, index) =>
    callTool("Bash", { command: `echo ${index}`, description: "One of many" }),
  ),
  ask: [callTool("Bash", { command: "touch asked.txt", description: "Ask" })],
};

describe.skipIf(process.platform !== "linux")(
  "agents that flood the gateway with their work",
  () => {
    test(
      "[R-20] never keep a person from denying and stopping within 2 s",
      SLOW,
      async ({ annotate }) => {
        await gateway[Symbol.asyncDispose]();
        const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-floods-")));
        await using model = await openScriptedModel(({ lastPrompt, results }) => {
          const [wanted = ""] = /^(?:words|output|calls|ask)$/mu.exec(lastPrompt) ?? [];
          const blocks = results.length > 0 ? undefined : AT_ONCE[wanted];
          return [...(blocks ?? [say("Done.")])];
        });
        const env = { ...model.env(join(folder, "claude")), HOME: folder, IS_SANDBOX: "1" };
        const place = { dataDir: `${folder}.data`, cwd: folder, args: ["--cwd", folder] };
        gateway = await startGateway({ ...place, env });
        api = new Api(gateway.url);
        const begin = async (message: string, permissionMode: string): Promise<string> => {
          const { sessionId } = await api.createSession({ agent: "claude", permissionMode });
          await api.send(sessionId, message);
          return sessionId;
        };
        /** Returns how long a denial and a stop take. */
        const measure = async (): Promise<number> => {
          const sessionId = await begin("ask", "default");
          const { interactionId } = await pending(api, sessionId);
          const startedAtMs = performance.now();
          const denied = await api.respond(interactionId, { action: "deny", reason: "No." });
          const stopped = await api.call("POST", `/sessions/${sessionId}/stop`, {});
          const tookMs = performance.now() - startedAtMs;
          expect([denied.status, stopped.status]).toEqual([200, 202]);
          return tookMs;
        };
        const quietMs = await measure();
        const flooding = await Promise.all([
          begin("words", "default"),
          begin("output", "bypassPermissions"),
          begin("calls", "bypassPermissions"),
        ]);
        const busyMs: number[] = [];
        for (let round = 0; round < 3; round += 1) busyMs.push(await measure());
        await Promise.all(flooding.map((id) => api.stop(id)));
        const mostMs = Math.max(...busyMs);
        await annotate(
          `3 denials and stops: ${quietMs.toFixed(0)} ms, then ${mostMs.toFixed(0)} ms`,
        );
        expect(mostMs).toBeLessThan(timeHere(2000) + quietMs);
        await gateway.stop("SIGTERM");
        for (const path of [folder, `${folder}.data`]) {
          await rm(path, { recursive: true, force: true, maxRetries: 5 });
        }
      },
    );
  },
);

function hostsMiB(): number[] {
  return readProcessTree(gateway.pid)
    .filter(({ commandLine }) => commandLine.includes("host-program"))
    .map(({ pid }) => residentMiB(pid));
}
