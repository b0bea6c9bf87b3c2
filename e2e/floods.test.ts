import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway, TOKEN } from "./support/gateway-process.ts";

const CONNECTIONS = 2000;
const PAYLOAD = Buffer.alloc(200_000, "a");
/** How much more memory the process may hold than before, at the highest and in the end. */
const HIGHEST_MIB = 120;
const LASTING_MIB = 60;
/** How long a busy machine may take until it has taken in a flood. */
const ARRIVAL_MS = 30_000;
/** Rounds of ordinary requests that may pass until it holds no more. */
const MOST_ROUNDS = 400;

let gateway: GatewayProcess;
let api: Api;
beforeEach(async () => {
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterEach(() => gateway[Symbol.asyncDispose]());

function residentMiB(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function host(): string {
  return new URL(gateway.url).host;
}

function upgrade(): string {
  const key = randomBytes(16).toString("base64");
  return `GET /api/ws HTTP/1.1\r\nHost: ${host()}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
}

/** A frame of text that announces so many bytes, masked with zeros, and what of it is sent. */
function frame(announced: number, sent: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(announced), 2);
  return Buffer.concat([head, sent]);
}

/** Whether all that it sends has left, or the gateway has closed it. */
function hasAttacked(socket: Socket): boolean {
  return socket.destroyed || (!socket.connecting && socket.writableLength === 0);
}

/** Opens so many connections, each with what an attacker sends there, and keeps those that the gateway keeps. */
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

/** Ordinary use, as after any flood: a process that does nothing collects no garbage. */
async function becomesQuiet(beforeMiB: number): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (residentMiB() - beforeMiB < LASTING_MIB) return;
    await useOrdinarily();
    await setTimeout(20);
  }
}

interface Measured {
  readonly highestMiB: number;
  readonly lastingMiB: number;
}

/** What the flood costs the gateway: at the highest, and a while after the attacker has left. */
async function measure(count: number, attack: (socket: Socket) => void): Promise<Measured> {
  // What the allocator keeps of the first flood it uses again in the next one. Only what a flood adds each time is a leak.
  for (let warmUp = 0; warmUp < 2; warmUp += 1) {
    for (const socket of await flood(count, attack)) socket.destroy();
    for (let round = 0; round < 20; round += 1) await useOrdinarily();
  }
  const beforeMiB = residentMiB();
  let highestMiB = beforeMiB;
  const sockets = await flood(count, attack);
  for (let sample = 0; sample < 20; sample += 1) {
    highestMiB = Math.max(highestMiB, residentMiB());
    await setTimeout(100);
  }
  for (const socket of sockets) socket.destroy();
  await becomesQuiet(beforeMiB);
  return { highestMiB: highestMiB - beforeMiB, lastingMiB: residentMiB() - beforeMiB };
}

const json = "Content-Type: application/json\r\n";

const FLOODS: readonly (readonly [name: string, attack: (socket: Socket) => void])[] = [
  [
    "first frames of 200 kB on WebSockets",
    (socket) => socket.write(Buffer.concat([Buffer.from(upgrade()), frame(250_000, PAYLOAD)])),
  ],
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
    (socket) => socket.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\nX-Long: ${"h".repeat(15_000)}`),
  ],
];

describe.skipIf(process.platform !== "linux")("strangers who flood the gateway", () => {
  test.for(FLOODS)(
    "[R-20] cost it little memory, and none that stays: %s",
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

describe.skipIf(process.platform !== "linux")("agents that flood the gateway", () => {
  beforeEach(() => void (leaving = new AbortController()));
  afterEach(() => leaving.abort());

  test(`[R-20] ${TOKENS} tokens with ${CALLS_OF_TOKEN} questions each get a typed refusal, and a person still says no and stops`, async ({
    annotate,
  }) => {
    const agents = await openAgents(TOKENS);
    // Without a client that can answer, agents would not be kept waiting.
    const headers = { authorization: `Bearer ${TOKEN}`, "x-holdpoint-client": "page" };
    await fetch(`${gateway.url}/api/events`, { headers, signal: leaving.signal });
    const question = "?".repeat(1900);
    const choices = Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(190, "x"));
    const beforeMiB = residentMiB();
    const refusals: { readonly status: number; readonly retryAfter: string | null }[] = [];
    let ended = 0;
    const calls = agents.flatMap(({ token, mcpSession }) =>
      Array.from({ length: CALLS_OF_TOKEN }, async (_, index) => {
        const params = { name: "ask_user", arguments: { question, choices } };
        const message = { id: index + 1, method: "tools/call", params };
        const answer = await postMcp(token, message, mcpSession);
        const retryAfter = answer.headers.get("retry-after");
        if (!answer.ok) refusals.push({ status: answer.status, retryAfter });
        await answer.text();
      }),
    );
    // The gateway may also end a connection before a token has come over it.
    for (const call of calls) call.catch(() => void (ended += 1));
    const planned = TOKENS * CALLS_OF_TOKEN;
    const { runningCallsPerPerson: most } = CREDENTIAL_LIMITS;
    await until(async () => refusals.length + ended >= planned - most, "the refusals");
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter(({ status, retryAfter }) => status !== 429 || !retryAfter)).toEqual([]);

    const { sessionId } = agents[0]!;
    const { interactionId } = await pending(api, sessionId);
    const startedAtMs = performance.now();
    const denied = await api.respond(interactionId, { action: "cancel", reason: "No." });
    const stopped = await api.call("POST", `/sessions/${sessionId}/stop`, {});
    const tookMs = performance.now() - startedAtMs;
    expect([denied.status, stopped.status]).toEqual([200, 202]);
    expect(tookMs).toBeLessThan(2000);
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
});
