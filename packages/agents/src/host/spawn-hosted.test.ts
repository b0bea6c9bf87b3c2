import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { HostedProcess } from "./hosted-process.ts";
import { spawnHosted, type SpawnHostedOptions } from "./spawn-hosted.ts";
import { isRunning } from "./testing/processes.ts";

const started: HostedProcess[] = [];
afterEach(async () => {
  for (const agent of started.splice(0)) await agent[Symbol.asyncDispose]();
});

function spawnAgent(options: Partial<SpawnHostedOptions> & { script?: string }): HostedProcess {
  const { script, ...rest } = options;
  const agent = spawnHosted({
    command: process.execPath,
    args: script === undefined ? [] : ["-e", script],
    env: process.env,
    signal: new AbortController().signal,
    ...rest,
  });
  started.push(agent);
  return agent;
}

async function firstLine(agent: HostedProcess): Promise<string> {
  const [chunk] = (await once(agent.stdout, "data")) as [Buffer];
  return chunk.toString().trim();
}

describe("a hosted agent", () => {
  test("has the interface that the Claude Agent SDK expects from spawnClaudeCodeProcess", () => {
    const agent: SpawnedProcess = spawnAgent({ command: "true" });
    expect(agent.exitCode).toBeNull();
  });

  test("gets its input and gives its output unchanged, at any length", async () => {
    const agent = spawnAgent({ command: "cat" });
    const sent = Buffer.alloc(5_000_000, "0123456789abcdef\n");
    agent.stdin.end(sent);
    const chunks: Buffer[] = [];
    for await (const chunk of agent.stdout) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test("delivers its last output before its exit code", async () => {
    const agent = spawnAgent({
      script: "process.stdout.write('x'.repeat(200_000), () => process.exit(7))",
    });
    const exit = once(agent, "exit");
    expect((await text(agent.stdout)).length).toBe(200_000);
    expect(await exit).toEqual([7, null]);
    expect(agent.exitCode).toBe(7);
    expect(agent.killed).toBe(false);
  });

  test("runs in its directory, with a separate standard error", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-")));
    let errors = "";
    const agent = spawnAgent({
      script: "console.log(process.cwd()); console.error('warning: ü')",
      cwd: folder,
      onErrorOutput: (added) => (errors += added),
    });
    expect((await text(agent.stdout)).trim()).toBe(folder);
    await agent.exited;
    expect(errors).toBe("warning: ü\n");
    rmSync(folder, { recursive: true });
  });

  test.runIf(process.platform === "linux")(
    "finds no HOLDPOINT_ variable in its environment or its parent's",
    async () => {
      vi.stubEnv("HOLDPOINT_TOKEN", "a-person's-token");
      const agent = spawnAgent({
        script: `const { readFileSync } = require('node:fs');
        console.log(JSON.stringify({ own: process.env, parent: readFileSync('/proc/' + process.ppid + '/environ', 'utf8') }));`,
        env: { ...process.env, HOLDPOINT_OTHER: "x", KEPT: "yes" },
      });
      const output = await text(agent.stdout);
      vi.unstubAllEnvs();
      expect(output).toContain('"KEPT":"yes"');
      expect(output).not.toContain("HOLDPOINT_");
      expect(output).not.toContain("a-person's-token");
    },
  );

  test("reports the signal that ended it", async () => {
    const agent = spawnAgent({ script: "console.log('up'); setInterval(() => {}, 1000)" });
    await firstLine(agent);
    expect(agent.kill("SIGINT")).toBe(true);
    expect(await agent.exited).toEqual({ code: null, signal: "SIGINT" });
    expect(agent.signalCode).toBe("SIGINT");
    expect(agent.killed).toBe(true);
    expect(agent.kill("SIGINT")).toBe(false);
  });

  test("is killed even before it has started", async () => {
    const agent = spawnAgent({ script: "setInterval(() => {}, 1000)" });
    agent.kill("SIGKILL");
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("is ended when its signal aborts, by force if need be", async () => {
    const stop = new AbortController();
    const agent = spawnAgent({
      script: "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
      signal: stop.signal,
    });
    await firstLine(agent);
    stop.abort();
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("takes the processes of its group along", async () => {
    const agent = spawnAgent({
      script: `const child = require('node:child_process').spawn('sleep', ['60']);
        console.log(child.pid); setInterval(() => {}, 1000);`,
    });
    const child = Number(await firstLine(agent));
    await agent[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(isRunning(child)).toBe(false));
  });

  test("fails with its error code if it cannot be started, and exits once", async () => {
    const agent = spawnAgent({ command: "/nowhere/agent" });
    const seen: unknown[] = [];
    agent.on("error", (error) => seen.push((error as NodeJS.ErrnoException).code));
    agent.on("exit", (code) => seen.push(code));
    await agent.exited;
    expect(seen).toEqual(["ENOENT", 127]);
    expect(await text(agent.stdout)).toBe("");
  });

  test("does not crash the gateway if it cannot be started and no one listens", async () => {
    const agent = spawnAgent({ command: "/nowhere/agent" });
    expect(await agent.exited).toEqual({ code: 127, signal: null });
  });

  test("dies with its host", async () => {
    const agent = spawnAgent({
      script: "console.log(process.ppid); setInterval(() => {}, 1000)",
    });
    const failed = once(agent, "error");
    const hostPid = Number(await firstLine(agent));
    const pid = agent.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    process.kill(hostPid, "SIGKILL");
    expect(String(await failed)).toContain("The agent host ended unexpectedly");
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  test("fails with its host's error message when the host cannot be started", async () => {
    const agent = spawnAgent({ command: "true", hostProgram: "/nowhere/host-program.js" });
    const [error] = (await once(agent, "error")) as [Error];
    expect(error.message).toContain("Cannot find module");
    expect(await agent.exited).toEqual({ code: 127, signal: null });
  });

  test("leaves no socket behind, also while it runs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "t-"));
    vi.stubEnv("TMPDIR", folder);
    const agent = spawnAgent({ script: "console.log('up'); setInterval(() => {}, 1000)" });
    expect(readdirSync(folder)).toHaveLength(1);
    await firstLine(agent);
    expect(readdirSync(folder)).toEqual([]);
    await agent[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test("has a socket in a short folder when the usual one is too deep", async () => {
    const root = mkdtempSync(join(tmpdir(), "t-"));
    const deep = join(root, "d".repeat(100));
    vi.stubEnv("TMPDIR", deep);
    mkdirSync(deep);
    const agent = spawnAgent({ command: "true" });
    vi.unstubAllEnvs();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(existsSync(deep)).toBe(true);
    rmSync(root, { recursive: true });
  });
});

describe("flow between a gateway and its agent", () => {
  test("input waits for an agent that does not read, and a signal overtakes it", async () => {
    const agent = spawnAgent({ script: "console.log('up'); setInterval(() => {}, 1000)" });
    await firstLine(agent);
    let taken = 0;
    for (let count = 0; count < 20; count += 1) {
      agent.stdin.write(Buffer.alloc(1_000_000), () => (taken += 1));
    }
    expect(agent.stdin.writableNeedDrain).toBe(true);
    agent.kill("SIGTERM");
    expect(await agent.exited).toEqual({ code: null, signal: "SIGTERM" });
    expect(agent.stdin.writableLength).toBe(0);
    expect(taken).toBe(20);
  });

  test("an agent blocks on output that is not read, and can still be ended", async () => {
    const agent = spawnAgent({
      script: `let written = 0;
        const more = () => { while (process.stdout.write('x'.repeat(65_536))) written += 1; };
        process.stdout.on('drain', more); more();
        process.on('SIGUSR2', () => console.error(String(written)));
        setTimeout(() => console.error('full'), 500);`,
      onErrorOutput: (added) => reports.push(added.trim()),
    });
    const reports: string[] = [];
    await vi.waitFor(() => expect(reports).toContain("full"), 5000);
    expect(agent.stdout.readableLength).toBeLessThan(4_000_000);
    agent.kill("SIGTERM");
    expect(await agent.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("output flows again once it is read", async () => {
    const agent = spawnAgent({
      script: "process.stdout.write('x'.repeat(8_000_000), () => console.error('written'))",
      onErrorOutput: (added) => reports.push(added.trim()),
    });
    const reports: string[] = [];
    await once(agent.stdout, "readable");
    expect(reports).toEqual([]);
    expect((await text(agent.stdout)).length).toBe(8_000_000);
    await agent.exited;
    expect(reports).toEqual(["written"]);
  });
});
