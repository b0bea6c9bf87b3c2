import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { Ask } from "@holdpoint/protocol";

import { Api } from "../e2e/support/api.ts";
import { startGateway } from "../e2e/support/gateway-process.ts";
import { atMost, type Row } from "./support/report.ts";

const TOKENS = 20;
const ASKS_EACH = 50;
const WAITING = TOKENS * ASKS_EACH;
const ANSWERED = 100;
const OBSERVED_MS = 10_000;
const MS_PER_TICK = 10;
const MAX_KIB_EACH = 64;

interface Waiting {
  readonly ask: Ask;
  readonly over: Promise<string>;
}

/**
 * The cost of 1,000 programs that wait for their answers by long polling: memory, and how many others one answer
 * wakes.
 */
export async function measureAsks(): Promise<Row[]> {
  await using gateway = await startGateway();
  const api = new Api(gateway.url);
  const agent = new Agent({ maxSockets: WAITING });
  const before = rssOf(gateway.pid);
  const waiting: Waiting[] = [];
  let returned = 0;
  const poll = (token: string, { interactionId }: Ask): Promise<string> =>
    get(`${gateway.url}/api/asks/${interactionId}?wait=60s`, token, agent).then((text) => {
      returned += 1;
      return text;
    });
  for (let index = 0; index < TOKENS; index += 1) {
    const label = { label: `Program ${index}` };
    const issued = await api.call<{ token: string }>("POST", "/auth/agent-tokens", label);
    const { token } = issued.body;
    const program = new Api(gateway.url, { token });
    for (let count = 0; count < ASKS_EACH; count += 1) {
      const body = { kind: "approval", label: "bench", prompt: `${index}/${count}?` };
      const { body: ask, status } = await program.call<Ask>("POST", "/asks", body);
      if (status !== 201) throw new Error(`An ask was refused: ${status}.`);
      waiting.push({ ask, over: poll(token, ask) });
    }
  }
  await sleep(2000);
  const kibEach = (rssOf(gateway.pid) - before) / 1024 / WAITING;
  const idleFrom = cpuOf(gateway.pid);
  await sleep(OBSERVED_MS);
  const idleMs = (cpuOf(gateway.pid) - idleFrom) / (OBSERVED_MS / 1000);
  const early = returned;
  const busyFrom = cpuOf(gateway.pid);
  for (const { ask, over } of waiting.slice(0, ANSWERED)) {
    const { body } = await api.call<{ approval: { digest: string } }>(
      "GET",
      `/interactions/${ask.interactionId}`,
    );
    const { digest } = body.approval;
    await api.respond(ask.interactionId, { action: "approve", digest });
    await over;
  }
  const eachMs = (cpuOf(gateway.pid) - busyFrom) / ANSWERED;
  const woken = (returned - early) / ANSWERED;
  agent.destroy();
  return [
    {
      what: `memory of one of ${WAITING} programs that wait, with its connection`,
      figure: `${kibEach.toFixed(0)} KiB`,
      budget: atMost(kibEach, MAX_KIB_EACH, `${MAX_KIB_EACH} KiB`),
    },
    { what: "processor time in a second while all wait", figure: `${idleMs.toFixed(1)} ms` },
    {
      what: "programs that one answer wakes",
      figure: woken.toFixed(2),
      budget: atMost(woken, 1, "1"),
    },
    {
      what: "processor time of an answer, while the others wait",
      figure: `${eachMs.toFixed(1)} ms`,
    },
  ];
}

function get(url: string, token: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(url, { headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve(text));
    });
    // Requests that are still waiting at the end.
    sent.on("error", () => resolve(""));
    sent.end();
  });
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const parts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(parts[11]) + Number(parts[12])) * MS_PER_TICK;
}
