import { readFileSync } from "node:fs";

import { FRAME_OPERATIONS, OPERATION_NAMES, OPERATIONS, factsOf } from "@holdpoint/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { Api, pending } from "./support/api.ts";
import { type GatewayProcess, startGateway, TOKEN } from "./support/gateway-process.ts";
import { createMutations, type Mutations } from "./support/mutations.ts";

/** `npm run campaign` tries far more, each time from another seed. */
const RUNS = Number(process.env["CAMPAIGN_CASES"] ?? 900);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 7);
const SHARE = Math.ceil(RUNS / 3);
const AT_ONCE = 16;
const MOST_MIB = 250;

let gateway: GatewayProcess;
let api: Api;
let asked: { readonly sessionId: string; readonly interactionId: string };
let agentTokens: readonly string[];

beforeAll(async () => {
  gateway = await startGateway();
  api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  asked = { sessionId, interactionId };
  const issued = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      api.call<{ token: string }>("POST", "/auth/agent-tokens", { label: `Fuzz ${index}` }),
    ),
  );
  agentTokens = issued.map(({ body }) => body.token);
});
afterAll(() => gateway[Symbol.asyncDispose]());

function residentMiB(): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${gateway.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The status of an answer; 0 when the gateway ended the connection before reading everything. */
async function statusOf(path: string, init: RequestInit): Promise<number> {
  try {
    const answer = await fetch(gateway.url + path, init);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function inParallel(runs: number, run: (index: number) => Promise<void>): Promise<number> {
  let next = 0;
  let tried = 0;
  const work = async (): Promise<void> => {
    while (next < runs) {
      next += 1;
      await run(next - 1);
      tried += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tried;
}

/** Expects the gateway to run, to have settled nothing, and to hold little more memory than before. */
async function expectUnharmed(beforeMiB: number): Promise<void> {
  expect(gateway.process.exitCode).toBeNull();
  expect((await api.interaction(asked.interactionId)).status).toBe("pending");
  expect(residentMiB() - beforeMiB).toBeLessThan(MOST_MIB);
}

/** Bodies from which mutations begin. No body settles anything, and no mutation can produce one that does. */
function bodyOf(name: string, { pick }: Mutations): object {
  const { sessionId, interactionId } = asked;
  const body = {
    action: pick(["approve", "submit"]),
    digest: "0".repeat(64),
    answers: [{ questionId: "q0", selected: ["none"] }],
    toolCallId: "call_of_nobody",
    content: "Hello",
    label: "Fuzz",
    scope: "read",
    agent: "nobody",
    enabled: true,
    title: "Fuzz",
    values: { sessionId, interactionId },
  };
  if (name === "respond") return { action: body.action, digest: body.digest };
  return body;
}

/** Every operation that takes a body and does not stop or end anything. */
const WITH_BODY = OPERATION_NAMES.filter(
  (name) => factsOf(name).input === "body" && name !== "createProgramToken",
);

describe("[R-20] random input", () => {
  test("in bodies is answered with 2xx or 4xx, and answers no request", async ({ annotate }) => {
    const mutations = createMutations(SEED);
    const beforeMiB = residentMiB();
    const statuses = new Map<number, number>();
    const tried = await inParallel(SHARE, async () => {
      const name = mutations.pick([...WITH_BODY, "exchange" as const]);
      const facts =
        name === "exchange" ? { method: "POST", path: "/api/auth/exchange" } : OPERATIONS[name];
      const path = facts.path.replaceAll(/\{(\w+)\}/g, (_, id: string) =>
        id === "sessionId"
          ? asked.sessionId
          : id === "interactionId"
            ? asked.interactionId
            : "fuzz",
      );
      const status = await statusOf(path, {
        method: facts.method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: mutations.bytes(bodyOf(name, mutations)),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(statuses.get(0) ?? 0).toBeLessThan(SHARE / 10);
    expect(tried).toBe(SHARE);
    await expectUnharmed(beforeMiB);
    await annotate(`${tried} bodies from the seed ${SEED}`, "cases");
  });

  test("in messages of MCP is answered with 2xx or 4xx, and answers no request", async ({
    annotate,
  }) => {
    const mutations = createMutations(SEED + 1);
    const beforeMiB = residentMiB();
    const statuses = new Map<number, number>();
    const tried = await inParallel(SHARE, async (index) => {
      const token = agentTokens[index % agentTokens.length]!;
      const method = mutations.pick([
        "initialize",
        "tools/list",
        "tools/call",
        "ping",
        "notifications/cancelled",
        "nothing",
      ]);
      const params = {
        protocolVersion: "2025-06-18",
        name: "no_such_tool",
        arguments: {},
        capabilities: {},
        requestId: 1,
      };
      const status = await statusOf("/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: mutations.bytes({ jsonrpc: "2.0", id: index, method, params }),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(statuses.get(0) ?? 0).toBeLessThan(SHARE / 10);
    expect(tried).toBe(SHARE);
    await expectUnharmed(beforeMiB);
    await annotate(`${tried} messages of MCP from the seed ${SEED + 1}`, "cases");
  });

  test("in frames is answered or ends its own connection, and answers no request", async ({
    annotate,
  }) => {
    const mutations = createMutations(SEED + 2);
    const beforeMiB = residentMiB();
    const codes = new Set<number>();
    const kinds = [
      "request",
      ...Object.keys(FRAME_OPERATIONS),
      "subscribe",
      "unsubscribe",
      "ping",
      "hello",
    ].filter((kind) => kind !== "stop");
    let sent = 0;
    while (sent < SHARE) {
      const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/api/ws`);
      const closed = new Promise<number>((resolve) => void socket.on("close", resolve));
      socket.on("error", () => undefined);
      await new Promise((resolve) => void socket.on("open", resolve));
      socket.send(JSON.stringify({ type: "hello", token: TOKEN, clientId: "fuzz" }));
      for (
        let count = 0;
        count < 100 && sent < SHARE && socket.readyState === WebSocket.OPEN;
        count += 1
      ) {
        const type = mutations.pick(kinds);
        const method = mutations.pick([...WITH_BODY, "listSessions", "getInteraction", "nothing"]);
        const params = { ...asked, body: bodyOf(method, mutations) };
        const frame = {
          type,
          requestId: `${sent}`,
          method,
          params,
          ...asked,
          ...bodyOf("respond", mutations),
        };
        socket.send(mutations.bytes(frame), {
          binary: mutations.pick([false, false, false, true]),
        });
        sent += 1;
        if (count % 10 === 0) await new Promise((resolve) => void setImmediate(resolve));
      }
      socket.close();
      codes.add(await closed);
    }
    expect([...codes].filter((code) => code === 1011)).toEqual([]);
    expect(sent).toBe(SHARE);
    await expectUnharmed(beforeMiB);
    await annotate(`${sent} frames from the seed ${SEED + 2}`, "cases");
  });
});
