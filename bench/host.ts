import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openAgentHosts, startHosted } from "@holdpoint/agents";
import { build } from "tsdown";

import { withFolder } from "./support/processes.ts";
import { atMost, type Row } from "./support/report.ts";

const SOURCE = new URL("../packages/agents/src/host/host-program.ts", import.meta.url).pathname;
const RUNS = 9;
const MAX_RESIDENT_MB = 60;
const MAX_ADDED_MS = 100;
/** Prints a line at once, then waits. */
const AGENT = ["-c", "echo '{}'; exec sleep 60"] as const;

/** The cost of a published agent host: its memory while its agent waits, and the time it adds to the agent's start. */
export function measureHost(): Promise<Row[]> {
  return withFolder(async (folder) => {
    await build({
      config: false,
      entry: { "host-program": SOURCE },
      outDir: folder,
      platform: "node",
      target: "node24",
      clean: false,
      dts: false,
      logLevel: "silent",
    });
    const hostProgram = join(folder, "host-program.mjs");
    const hosts = openAgentHosts({ dataDir: folder, tokenFor: (id) => id });
    const direct = await median(() => startDirectly("/bin/sh", AGENT));
    const node = await median(() => startDirectly(process.execPath, ["-e", "console.log()"]));
    let residentMb = 0;
    const hosted = await median(async () => {
      const startedAt = performance.now();
      const agent = hosts.open({ sessionId: "ses_1", hostProgram });
      startHosted(agent, {
        command: "/bin/sh",
        args: AGENT,
        env: process.env,
        signal: new AbortController().signal,
      });
      await once(agent.stdout, "data");
      const tookMs = performance.now() - startedAt;
      // With the tools, which need most of its modules.
      await agent.serveTools({ url: "http://127.0.0.1:9/mcp", token: "none" });
      residentMb = Math.max(residentMb, residentOf(parentOf(agent.pid ?? 0)));
      await agent[Symbol.asyncDispose]();
      return tookMs;
    });
    const addedMs = hosted - direct;
    return [
      {
        what: "resident memory of an agent host, the most of all runs",
        figure: `${residentMb.toFixed(0)} MB`,
        budget: atMost(residentMb, MAX_RESIDENT_MB, `${MAX_RESIDENT_MB} MB`),
      },
      {
        what: `what it adds to the start of an agent, median of ${RUNS}`,
        figure: `${addedMs.toFixed(0)} ms`,
        budget: atMost(addedMs, MAX_ADDED_MS, `${MAX_ADDED_MS} ms`),
      },
      { what: "for comparison: a start of Node", figure: `${node.toFixed(0)} ms` },
    ];
  });
}

async function startDirectly(program: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const agent = spawn(program, args);
  await once(agent.stdout, "data");
  agent.kill("SIGKILL");
  return performance.now() - startedAt;
}

async function median(measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < RUNS; run += 1) figures.push(await measure());
  return figures.toSorted((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/mu.exec(readStatus(pid))?.[1]);
}

function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/mu.exec(readStatus(pid))?.[1]) / 1024;
}

function readStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, "utf8");
}
