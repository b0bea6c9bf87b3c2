import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { type AgentHosts, openAgentHosts } from "./agent-hosts.ts";
import type { HostRecord } from "./host-record.ts";
import type { HostedProcess } from "./hosted-process.ts";
import { isRunning, stateOf } from "./testing/processes.ts";

const program = (name: string): string => new URL(`./testing/${name}.ts`, import.meta.url).pathname;
const TOKEN_FOR = (id: string): string => `token-of-${id}`;

let dataDir = "";
let hosts: AgentHosts;
const opened: HostedProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "hosts-"));
  hosts = nextGateway();
});
afterEach(async () => {
  for (const hosted of opened.splice(0)) await hosted[Symbol.asyncDispose]();
  await nextGateway().endLeftOver();
  rmSync(dataDir, { recursive: true, force: true });
});

function nextGateway(): AgentHosts {
  return openAgentHosts({ dataDir, tokenFor: TOKEN_FOR });
}

/** A gateway in a separate process that starts a talking agent in a turn, and can be killed. */
async function openGateway(holdMs = 60_000): Promise<ChildProcessWithoutNullStreams> {
  const args = [program("holding-gateway"), dataDir, String(holdMs), program("talking-agent")];
  const gateway = spawn(process.execPath, args, { stdio: "pipe" });
  gateway.stderr.pipe(process.stderr);
  const [line] = (await once(gateway.stdout, "data")) as [Buffer];
  expect(line.toString()).toContain("ready");
  return gateway;
}

async function kill(gateway: ChildProcessWithoutNullStreams): Promise<void> {
  gateway.kill("SIGKILL");
  await once(gateway, "exit");
}

async function findLeft(): Promise<HostRecord> {
  const [host] = hosts.list();
  if (host === undefined) throw new Error("No host is left.");
  return host;
}

async function attach(
  host: HostRecord,
): Promise<{ hosted: HostedProcess; lines: Record<string, unknown>[] }> {
  const hosted = await hosts.attach(host);
  opened.push(hosted);
  const lines: Record<string, unknown>[] = [];
  let text = "";
  hosted.stdout.on("data", (bytes: Buffer) => {
    const parts = (text + bytes.toString()).split("\n");
    text = parts.pop() ?? "";
    for (const part of parts) lines.push(JSON.parse(part) as Record<string, unknown>);
  });
  return { hosted, lines };
}

function say(hosted: HostedProcess, line: Record<string, unknown>): void {
  hosted.stdin.write(`${JSON.stringify(line)}\n`);
}

describe("the permission requests of an agent that is killed with its host and its gateway", () => {
  /** Kills all of them, and checks them as the next gateway does. */
  async function killAll(): Promise<void> {
    const gateway = await openGateway();
    const { host, agent } = await findLeft();
    await kill(gateway);
    for (const { pid } of [host, agent]) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect([agent.pid, host.pid].filter(isRunning)).toEqual([]), 4000);
    hosts = nextGateway();
  }

  test("[R-4] were never answered, except those whose response its host got", async () => {
    await killAll();
    const known = (): boolean[] => ["r1", "r2", "r3"].map((id) => hosts.neverAnswered(id));
    expect(known()).toEqual([false, process.platform === "linux", false]);
    expect(await hosts.untilGone("ses_1")).toBe(true);
    await hosts.endLeftOver();
    expect(readdirSync(join(dataDir, "hosts"))).toEqual([]);
    expect(known()).toEqual([false, process.platform === "linux", false]);
  });

  test("[R-4] may have been answered, if the machine was rebooted since", async () => {
    await killAll();
    const [name = ""] = readdirSync(join(dataDir, "hosts")).filter((each) =>
      each.endsWith(".json"),
    );
    const path = join(dataDir, "hosts", name);
    const record = JSON.parse(readFileSync(path, "utf8")) as HostRecord;
    expect(record.waitingIds).toEqual(["r2"]);
    const host = { ...record.host, startedAt: "another-boot 1" };
    writeFileSync(path, JSON.stringify({ ...record, host }));
    expect(hosts.neverAnswered("r2")).toBe(false);
  });

  test("[R-4] may be answered while the host lives", async () => {
    await kill(await openGateway());
    const { host, agent } = await findLeft();
    expect(hosts.neverAnswered("r2")).toBe(false);
    process.kill(host.pid, "SIGSTOP");
    expect(hosts.neverAnswered("r2")).toBe(false);
    for (const { pid } of [host, agent]) process.kill(pid, "SIGKILL");
  });
});

test("[R-4] get no response that the host cannot record: the agent is ended before it", async () => {
  const gateway = await openGateway();
  const { host, agent } = await findLeft();
  await kill(gateway);
  const { hosted, lines } = await attach(await findLeft());
  rmSync(join(dataDir, "hosts"), { recursive: true });
  say(hosted, { type: "control_response", response: { request_id: "r2" } });
  await vi.waitFor(() => expect([agent.pid, host.pid].filter(isRunning)).toEqual([]), 6000);
  expect(lines).not.toContainEqual({ type: "result", uuid: "after r2" });
});

describe("an agent whose gateway is killed in a turn", () => {
  test("[R-5] is frozen at once with all its processes, and thaws for the next gateway", async () => {
    const gateway = await openGateway();
    const { agent, turnId, sessionId, mark } = await findLeft();
    expect({ turnId, sessionId }).toEqual({ turnId: "trn_1", sessionId: "ses_1" });
    const tool = Number(readFileSync(join(dataDir, "tool.pid"), "utf8"));
    await kill(gateway);
    await vi.waitFor(() => expect([agent.pid, tool].map(stateOf)).toEqual(["T", "T"]), 2000);
    const { hosted } = await attach(await findLeft());
    expect(await hosted.attached).toMatchObject({ pid: agent.pid, mark });
    await vi.waitFor(() => expect([agent.pid, tool].map(stateOf)).toEqual(["S", "S"]), 2000);
    await hosted[Symbol.asyncDispose]();
    expect([agent.pid, tool].filter(isRunning)).toEqual([]);
    await vi.waitFor(() => expect(readdirSync(join(dataDir, "hosts"))).toEqual([]));
  });

  test("[R-5] is also frozen when its gateway leaves it, and does nothing before the next one", async () => {
    await kill(await openGateway());
    const left = await findLeft();
    const second = await attach(left);
    await second.hosted.detach();
    // It gets nothing more from its agent, not even its end.
    opened.splice(opened.indexOf(second.hosted), 1);
    await vi.waitFor(() => expect(stateOf(left.agent.pid)).toBe("T"), 2000);
    await attach(await findLeft());
    await vi.waitFor(() => expect(stateOf(left.agent.pid)).toBe("S"), 2000);
  });

  test("[R-4] [R-8] repeats unsettled messages in order, and asks open questions again", async () => {
    const gateway = await openGateway();
    await kill(gateway);
    const left = await findLeft();
    const { hosted, lines } = await attach(left);
    const state = await hosted.attached;
    expect(state?.replayedIds).toEqual(["m2", "m3"]);
    expect(state?.givenMessageIds).toEqual(["p1"]);
    expect(state?.answeredRequestIds).toEqual(["r1"]);
    say(hosted, { type: "control_request", request_id: "i2", request: { subtype: "initialize" } });
    await vi.waitFor(() => expect(lines).toHaveLength(4), 5000);
    expect(lines).toEqual([
      { type: "assistant", uuid: "m2" },
      { type: "assistant", uuid: "m3" },
      {
        type: "control_response",
        response: { subtype: "success", request_id: "i2", response: { count: 1 } },
      },
      { type: "control_request", request_id: "r2", request: { subtype: "can_use_tool" } },
    ]);
    hosted.settle("m3");
    say(hosted, { type: "control_response", response: { request_id: "r2" } });
    await vi.waitFor(
      () => expect(lines.at(-1)).toEqual({ type: "result", uuid: "after r2" }),
      5000,
    );
    const next = await attach(left);
    expect((await next.hosted.attached)?.replayedIds).toEqual(["after r2"]);
    expect((await next.hosted.attached)?.answeredRequestIds).toEqual(["r1", "r2"]);
  });

  test("[R-4] reports to the next gateway that it was killed, once that gateway follows it", async () => {
    await kill(await openGateway());
    const left = await findLeft();
    await vi.waitFor(() => expect(stateOf(left.agent.pid)).toBe("T"), 2000);
    process.kill(left.agent.pid, "SIGKILL");
    const { hosted } = await attach(left);
    expect(await hosted.exited).toEqual({ code: null, signal: "SIGKILL" });
    hosted.follow({ signal: new AbortController().signal });
    expect(await once(hosted, "exit")).toEqual([null, "SIGKILL"]);
  });

  test("[R-1] is taken over by a newer gateway, and the older one is notified", async () => {
    const gateway = await openGateway();
    const left = await findLeft();
    const older = await attach(left);
    older.hosted.follow({ signal: new AbortController().signal });
    const [[error]] = await Promise.all([once(older.hosted, "error"), attach(left)]);
    expect(error).toMatchObject({ name: "AgentLostError", reason: "replaced" });
    await vi.waitFor(() => expect(stateOf(left.agent.pid)).toBe("S"), 2000);
    await kill(gateway);
  });

  test("[R-1] [R-8] follows only the newest gateway, which gets everything that was never stored", async () => {
    const gateway = await openGateway();
    await kill(gateway);
    const left = await findLeft();
    const older = await attach(left);
    const newer = await attach(left);
    const initialize = { type: "control_request", request: { subtype: "initialize" } };
    say(newer.hosted, { ...initialize, request_id: "i2" });
    await vi.waitFor(() => expect(newer.lines).toHaveLength(4), 5000);
    await older.hosted.exited;
    say(older.hosted, { type: "control_response", response: { request_id: "r2" } });
    say(newer.hosted, { ...initialize, request_id: "i3" });
    // The next message is the response to the newer request: the older answer has reached no one.
    await vi.waitFor(() => expect(newer.lines.length).toBeGreaterThan(4), 5000);
    expect(newer.lines[4]).toMatchObject({ response: { request_id: "i3" } });
    expect(older.lines).toHaveLength(2);
    await newer.hosted[Symbol.asyncDispose]();
  });

  test("ends when its host's time is over, even if it is frozen", async () => {
    const gateway = await openGateway(300);
    const { agent, host } = await findLeft();
    await kill(gateway);
    await vi.waitFor(() => expect([agent.pid, host.pid].filter(isRunning)).toEqual([]), 4000);
    expect(readdirSync(join(dataDir, "hosts"))).toEqual([]);
  });

  test("ends when its data folder is deleted", async () => {
    const gateway = await openGateway();
    const { agent, host } = await findLeft();
    await kill(gateway);
    rmSync(join(dataDir, "hosts"), { recursive: true });
    await vi.waitFor(() => expect([agent.pid, host.pid].filter(isRunning)).toEqual([]), 5000);
  });

  test("is ended with the hosts that no gateway takes over, also when its host is dead", async () => {
    const gateways = [await openGateway(), await openGateway()];
    const left = [...hosts.list()];
    expect(left).toHaveLength(2);
    for (const gateway of gateways) await kill(gateway);
    const [first, second] = left as [HostRecord, HostRecord];
    process.kill(first.host.pid, "SIGKILL");
    writeFileSync(join(dataDir, "hosts", "broken.json"), "{");
    writeFileSync(join(dataDir, "hosts", "stale.sock"), "");
    expect(await hosts.endLeftOver()).toEqual([]);
    expect(isRunning(second.agent.pid)).toBe(true);
    expect(await nextGateway().endLeftOver()).toContain(second.sessionId);
    const pids = left.flatMap(({ agent, host }) => [agent.pid, host.pid]);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(readdirSync(join(dataDir, "hosts"))).toEqual([]);
  });
});

describe("a host to which no gateway can attach is ended with its agent, and the reason is reported", () => {
  test.each<[string, object, (left: HostRecord) => unknown]>([
    [
      "it is of another version",
      { name: "AgentLostError", reason: "version" },
      (left) => {
        const path = join(dataDir, "hosts", `${left.id}.json`);
        writeFileSync(path, JSON.stringify({ ...left, version: left.version + 1 }));
      },
    ],
    [
      "it does not answer",
      { name: "AgentLostError", reason: "silent" },
      ({ host }) => process.kill(host.pid, "SIGSTOP"),
    ],
    [
      "its socket is gone",
      { message: expect.stringContaining("ended unexpectedly") },
      ({ socketPath }) => rmSync(socketPath),
    ],
  ])("%s", async (_, failure, breakIt) => {
    const gateway = await openGateway();
    const left = await findLeft();
    await kill(gateway);
    breakIt(left);
    const next = nextGateway();
    const [listed] = next.list();
    expect(listed).toMatchObject({ sessionId: left.sessionId, turnId: left.turnId });
    await expect(next.attach(listed!)).rejects.toMatchObject(failure);
    expect([left.agent.pid, left.host.pid].filter(isRunning)).toEqual([]);
    expect(readdirSync(join(dataDir, "hosts"))).toEqual([]);
  });
});

test("[R-13] records are for this account alone and hold no secret", async () => {
  const gateway = await openGateway();
  const { id, socketPath } = await findLeft();
  const path = join(dataDir, "hosts", `${id}.json`);
  expect(statSync(join(dataDir, "hosts")).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).not.toContain("token-of");
  expect(existsSync(socketPath)).toBe(true);
  await kill(gateway);
});

test("a process whose id is used again is not killed", async () => {
  const gateway = await openGateway();
  const left = await findLeft();
  await kill(gateway);
  process.kill(left.host.pid, "SIGKILL");
  await vi.waitFor(() => expect(isRunning(left.agent.pid)).toBe(false), 2000);
  const stranger = spawn("sleep", ["60"], { detached: true });
  const { pid = 0 } = stranger;
  const path = join(dataDir, "hosts", `${left.id}.json`);
  writeFileSync(
    path,
    JSON.stringify({ ...left, host: { ...left.host, pid }, agent: { ...left.agent, pid } }),
  );
  await nextGateway().endLeftOver();
  expect(isRunning(pid)).toBe(true);
  expect(existsSync(path)).toBe(false);
  stranger.kill("SIGKILL");
});
