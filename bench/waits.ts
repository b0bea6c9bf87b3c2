import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { callTool, openScriptedModel, say } from "@holdpoint/agents/testing";

import { Api, pending, until } from "../e2e/support/api.ts";
import { startGateway, TOKEN } from "../e2e/support/gateway-process.ts";
import { readProcessTree } from "../e2e/support/process-tree.ts";
import { withFolder } from "./support/processes.ts";
import { atMost, type Row } from "./support/report.ts";

const SETTLE_MS = 2000;
const OBSERVED_MS = 5000;
const MS_PER_TICK = 10;
const PARKED_WITHIN_MS = 60_000;

/** The cost of the processes of one wait, without the gateway's. */
interface WaitCost {
  readonly processes: number;
  /** Private memory, plus a share of shared memory. */
  readonly bytes: number;
  /** Processor time per second. */
  readonly cpuMs: number;
}

/** The cost of a real Claude that waits for a person: held while a client is connected, and parked when none is. */
export function measureWaits(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const ask = callTool("Bash", { command: "touch made.txt", description: "Try" });
    await using model = await openScriptedModel(() => [say("I ask."), ask]);
    const env = { ...model.env(join(folder, "claude")), HOME: folder };
    await using gateway = await startGateway({ dataDir: join(folder, "data"), env });
    const api = new Api(gateway.url);
    const page = new AbortController();
    const headers = { authorization: `Bearer ${TOKEN}`, "x-holdpoint-client": "page" };
    await fetch(`${gateway.url}/api/events`, { headers, signal: page.signal });
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Go");
    await pending(api, sessionId);
    const held = await observe(gateway.pid);
    page.abort();
    const isParked = async () => (await api.session(sessionId)).status === "parked";
    await until(isParked, "the parking", PARKED_WITHIN_MS);
    const parked = await observe(gateway.pid);
    return [
      { what: "a wait of the real Claude that is held, beside the gateway", figure: inWords(held) },
      {
        what: "the same wait once it is parked",
        figure: inWords(parked),
        budget: atMost(parked.processes, 0, "no process"),
      },
    ];
  });
}

function inWords({ processes, bytes, cpuMs }: WaitCost): string {
  return `${(bytes / 1e6).toFixed(0)} MB in ${processes} processes, ${cpuMs.toFixed(1)} ms of CPU a second`;
}

async function observe(gatewayPid: number): Promise<WaitCost> {
  await sleep(SETTLE_MS);
  const pids = readProcessTree(gatewayPid)
    .map(({ pid }) => pid)
    .filter((pid) => pid !== gatewayPid);
  const before = pids.map(cpuMsOf);
  await sleep(OBSERVED_MS);
  const spent = pids.map((pid, index) => cpuMsOf(pid) - (before[index] ?? 0));
  const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);
  return {
    processes: pids.length,
    bytes: sum(pids.map(bytesOf)),
    cpuMs: (sum(spent) * 1000) / OBSERVED_MS,
  };
}

function bytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/mu.exec(text)?.[1]) * 1024;
}

function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Follows the program's name, which may contain any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
