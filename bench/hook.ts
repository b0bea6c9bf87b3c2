// The hook of terminals, from its start until it has asked the gateway or has decided not to.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { loadavg } from "node:os";

import { findCurl } from "../packages/cli/src/adopt/find-program.ts";
import { hookProgram } from "../packages/cli/src/terminals/hook-program.ts";
import { doorPath, hookPath } from "../packages/cli/src/terminals/terminal-paths.ts";
import { withFolder } from "./support/processes.ts";
import { atMost, median, percentile, type Row } from "./support/report.ts";

const RUNS = 200;
const MAX_ASKING_MS = 40;

interface Measured {
  readonly what: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly tookMs: number[];
}

/** Runs the hook, plain sh and plain curl in turn, so that all three meet the same load. */
export function measureHook(): Promise<Row[]> {
  return withFolder(async (dataDir) => {
    const curl = await findCurl(process.env);
    const hook = hookPath(dataDir);
    writeFileSync(hook, hookProgram({ curl }));
    chmodSync(hook, 0o700);
    const door = createServer((request, response) => {
      request.resume().once("end", () => response.writeHead(202, { connection: "close" }).end());
    });
    door.listen(doorPath(dataDir));
    await once(door, "listening");
    const post = ["-qsf", "--unix-socket", doorPath(dataDir), "--data-binary", "@-", "http://door"];
    const asks = measured("the hook until it has asked", hook, ["try"]);
    const passes = measured("the hook before a call that needs nobody", hook, ["pass"]);
    const shell = measured("for comparison: sh -c true", "/bin/sh", ["-c", "true"]);
    const request = measured("for comparison: curl, the same request", curl, post);
    const all = [asks, passes, shell, request];
    try {
      for (let run = 0; run < RUNS; run += 1) for (const one of all) await time(one);
    } finally {
      door.close();
    }
    const askingMs = percentile(asks.tookMs, 0.95);
    const budget = atMost(askingMs, MAX_ASKING_MS, `${MAX_ASKING_MS} ms on an idle machine`);
    const ratio = median(asks.tookMs) / (median(shell.tookMs) + median(request.tookMs));
    const share = { what: "the hook to sh and curl together", figure: `${ratio.toFixed(2)} ×` };
    const load = { what: "load of the machine in this minute", figure: loadavg()[0]!.toFixed(1) };
    return [...all.map((one) => toRow(one, one === asks ? budget : undefined)), share, load];
  });
}

function measured(what: string, program: string, args: readonly string[]): Measured {
  return { what, program, args, tookMs: [] };
}

async function time({ program, args, tookMs }: Measured): Promise<void> {
  const startedAt = performance.now();
  const env = { ...process.env, ASKED_BY_ITS_HOST: "" };
  const child: ChildProcess = spawn(program, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin?.on("error", () => undefined).end('{"tool_input":{"command":"true"}}');
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  tookMs.push(performance.now() - startedAt);
}

function toRow({ what, tookMs }: Measured, budget: Row["budget"]): Row {
  const [middle, most] = [median(tookMs), percentile(tookMs, 0.95)];
  const figure = `p95 ${most.toFixed(1)} ms (median ${middle.toFixed(1)} ms)`;
  return { what: `${what}, ${RUNS} runs`, figure, ...(budget && { budget }) };
}
