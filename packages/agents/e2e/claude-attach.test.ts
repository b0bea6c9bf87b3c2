import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type AgentAdapter,
  type AgentEvent,
  createSystemClock,
  createSystemIds,
  type TurnResult,
} from "@holdpoint/engine";
import {
  createRecordingTurn,
  type HoldScript,
  type RecordingTurn,
} from "@holdpoint/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createClaudeAdapter } from "../src/claude/claude-adapter.ts";
import { openAgentHosts } from "../src/host/agent-hosts.ts";
import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ModelBlock,
  type ScriptedModel,
} from "../src/testing/index.ts";
import { approve, deny } from "./support/claude-scene.ts";

const PROGRAM = new URL("./support/leaving-gateway.ts", import.meta.url).pathname;

let folder: string;
let model: ScriptedModel;
let gateway: ChildProcess;
let next: AgentAdapter;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "claude-attach-")));
  await mkdir(join(folder, "data"));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
});
afterEach(async () => {
  gateway.kill("SIGKILL");
  await next[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const environment = (): Record<string, string | undefined> => ({
  ...process.env,
  ...model.env(join(folder, ".config")),
  HOME: folder,
  IS_SANDBOX: "1",
});

/** Starts a gateway whose agent makes this many requests, and kills it. */
async function killAsking(count: number): Promise<{ toolCallId: string }[]> {
  gateway = spawn(process.execPath, [PROGRAM, folder], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  gateway.stdout?.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  const asked = (): string[] => printed.split("\n").filter((line) => line !== "");
  await vi.waitFor(() => expect(asked()).toHaveLength(count), 60_000);
  const closed = once(gateway, "close");
  gateway.kill("SIGKILL");
  await closed;
  return asked().map((line) => JSON.parse(line) as { toolCallId: string });
}

interface Attached {
  readonly turn: RecordingTurn;
  readonly result: TurnResult;
  /** The complete log of both gateways. */
  readonly log: readonly AgentEvent[];
}

/** The next gateway: attaches to the remaining agent, and answers. */
async function attach(script: HoldScript): Promise<Attached> {
  const told = readLog();
  next = createClaudeAdapter({
    env: environment(),
    clock: createSystemClock(),
    ids: createSystemIds(),
    hosts: openAgentHosts({ dataDir: join(folder, "data"), tokenFor: (id) => `token of ${id}` }),
  });
  expect(await next.findLive?.()).toEqual([{ sessionId: "ses_held", turnId: "trn_held" }]);
  const session = await next.openSession({
    sessionId: "ses_held",
    cwd: folder,
    permissionMode: "default",
  });
  const turn = createRecordingTurn({ script });
  const result = await session.attachTurn!(turn, {
    told,
    readMessage: async () => ({ messageId: "msg_1", content: "go" }),
  });
  turn.end();
  return { turn, result, log: [...told, ...turn.events] };
}

function readLog(): AgentEvent[] {
  const path = join(folder, "log.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as AgentEvent | { readonly type: "state" });
  return entries.flatMap((entry) => (entry.type === "state" ? [] : [entry]));
}

const bash = (command: string, id?: string): ModelBlock =>
  callTool("Bash", { command, description: "Try it" }, id);
const ran = (): string => readFileSync(join(folder, "ran.txt"), "utf8");

describe("Claude whose gateway is killed", () => {
  test.each<[string, HoldScript, string]>([
    ["approval", () => approve(), "ran\n"],
    ["denial", () => deny({ reason: "Not now." }), ""],
  ])(
    "[R-8] gets the next one's %s for the same call, and continues",
    async (_, script, expected) => {
      model.play(
        inOrder([[say("Let me."), bash("echo ran >> ran.txt", "toolu_held")], [say("Done.")]]),
      );
      const [asked] = await killAsking(1);
      const { turn, result, log } = await attach(script);
      expect(result).toEqual({ reason: "done" });
      expect(turn.requests).toEqual([asked]);
      expect(turn.entries).toContainEqual({ kind: "delivered", interactionId: "int_1" });
      expect(log).toMatchObject([
        { type: "assistant_message", text: "Let me." },
        { type: "tool_call", toolCallId: "toolu_held" },
        { type: "tool_result", toolCallId: "toolu_held" },
        { type: "assistant_message", text: "Done." },
      ]);
      expect(existsSync(join(folder, "ran.txt")) ? ran() : "").toBe(expected);
      expect(model.requests).toHaveLength(2);
    },
  );

  test("[R-8] keeps simultaneous requests of two sub-agents, each once", async () => {
    model.play(({ firstPrompt, allResults }) => {
      const [, errand] = /ERRAND (\w+)/u.exec(firstPrompt) ?? [];
      if (allResults.length > 0) return [say(errand === undefined ? "All done." : "Errand done.")];
      if (errand !== undefined) return [say("On it."), bash(`echo ${errand} >> ran.txt`, errand)];
      return ["one", "two"].map((name) => {
        const input = { description: name, prompt: `ERRAND ${name}` };
        return callTool("Agent", { ...input, subagent_type: "general-purpose" }, `outer_${name}`);
      });
    });
    const asked = await killAsking(2);
    const { turn, result, log } = await attach(() => approve());
    expect(result).toEqual({ reason: "done" });
    const ids = (requests: readonly { toolCallId: string }[]): string[] =>
      requests.map(({ toolCallId }) => toolCallId).toSorted();
    expect(ids(turn.requests)).toEqual(ids(asked));
    expect(ran().trim().split("\n").toSorted()).toEqual(["one", "two"]);
    for (const type of ["tool_call", "tool_result"] as const) {
      const known = log.flatMap((event) => (event.type === type ? [event.toolCallId] : []));
      expect(known.toSorted()).toEqual(["one", "outer_one", "outer_two", "two"]);
    }
    const texts = log.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []));
    expect(texts.toSorted()).toEqual(
      ["All done.", "Errand done.", "Errand done.", "On it.", "On it."].toSorted(),
    );
    const inner = log.filter((event) => "toolCallId" in event && event.toolCallId === "one");
    expect(inner[0]).toMatchObject({ parentToolCallId: "outer_one" });
  });
});

describe("Claude whose gateway is killed before it gets the message", () => {
  test("[R-4] gets it once, from the next gateway", async () => {
    model.play(inOrder([[say("Done.")]]));
    gateway = spawn(process.execPath, [PROGRAM, folder, "unsaid"], {
      env: environment(),
      stdio: "inherit",
    });
    await once(gateway, "close");
    const { result, log } = await attach(() => approve());
    expect(result).toEqual({ reason: "done" });
    expect(log).toMatchObject([{ type: "assistant_message", text: "Done." }]);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.lastPrompt).toMatch(/(?:^|\n)go$/u);
  });
});

describe("Claude whose gateway shuts down", () => {
  test("is left to its host, and its turn never ends", async () => {
    model.play(inOrder([[bash("echo ran >> ran.txt")], [say("Done.")]]));
    const hosts = openAgentHosts({
      dataDir: join(folder, "data"),
      tokenFor: (id) => `token of ${id}`,
    });
    const options = { env: environment(), clock: createSystemClock(), ids: createSystemIds() };
    const first = createClaudeAdapter({ ...options, hosts });
    const session = await first.openSession({
      sessionId: "ses_held",
      cwd: folder,
      permissionMode: "default",
    });
    const turn = createRecordingTurn({ turnId: "trn_held" });
    const ended = vi.fn<() => void>();
    void session.runTurn({ messageId: "msg_1", content: "go" }, turn).then(ended);
    await vi.waitFor(() => expect(turn.requests).toHaveLength(1), 60_000);
    await session.detach!();
    await first[Symbol.asyncDispose]();
    expect(ended).not.toHaveBeenCalled();
    expect(turn.entries.filter(({ kind }) => kind === "held")).toEqual([]);
    const told = turn.events;
    next = createClaudeAdapter({
      ...options,
      hosts: openAgentHosts({ dataDir: join(folder, "data"), tokenFor: (id) => `token of ${id}` }),
    });
    await next.findLive?.();
    const again = await next.openSession({
      sessionId: "ses_held",
      cwd: folder,
      permissionMode: "default",
    });
    const second = createRecordingTurn({ script: () => approve() });
    const readMessage = async () => undefined;
    expect(await again.attachTurn!(second, { told, readMessage })).toEqual({ reason: "done" });
    expect(ran()).toBe("ran\n");
  });
});
