import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ModelBlock,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction, SessionEvent } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { rows } from "./support/breadth.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

async function start(): Promise<void> {
  gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: join(folder, "work"),
    env: { ...model.env(join(folder, ".claude-data")), HOME: folder, IS_SANDBOX: "1" },
  });
  api = new Api(gateway.url);
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-next-")));
  await mkdir(join(folder, "work"));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
  await start();
});
afterEach(async () => {
  await gateway.stop("SIGTERM");
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function restart(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await gateway.stop(signal);
  await gateway[Symbol.asyncDispose]();
  await start();
}

const bash = (name: string): ModelBlock =>
  callTool("Bash", { command: `node -e 0; echo ${name} >> ran.txt`, description: "Add" }, name);

/** Two calls in one message: Claude asks about the second after the first. */
function playTwoCalls(): void {
  model.play(inOrder([[bash("one"), bash("two")], [say("All done.")]]));
}

/** A call in each of two sub-agents, which ask at the same time. */
function playTwoAgents(): void {
  model.play(({ firstPrompt, allResults }) => {
    const [, errand] = /ERRAND (\w+)/u.exec(firstPrompt) ?? [];
    if (allResults.length > 0) return [say(errand === undefined ? "All done." : "Errand done.")];
    if (errand !== undefined) return [bash(errand)];
    return ["one", "two"].map((name) => {
      const input = { description: name, prompt: `ERRAND ${name}` };
      return callTool("Agent", { ...input, subagent_type: "general-purpose" }, `agent_${name}`);
    });
  });
}

async function ask(count: number): Promise<{ sessionId: string; asked: readonly Interaction[] }> {
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, "Do both.");
  const asked = await until(async () => {
    const pending = await api.interactions(sessionId, "pending");
    return pending.length === count && pending;
  }, `${count} pending interactions`);
  return { sessionId, asked };
}

/** Approves every request until the turn has ended; returns the log. */
async function approveAll(sessionId: string): Promise<readonly SessionEvent[]> {
  return until(async () => {
    for (const { interactionId, approval } of await api.interactions(sessionId, "pending")) {
      await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    }
    const events = await api.events(sessionId);
    return events.some(({ type }) => type === "turn_ended") && events;
  }, "the end of the turn");
}

describe("Claude waiting at calls that cannot be parked", () => {
  test.each(
    rows<[string, number, () => void]>(
      [["calls of two sub-agents", 2, playTwoAgents]],
      [["two calls of one message", 1, playTwoCalls]],
    ),
  )(
    "[R-4] [R-8] continues with the next gateway after a kill: %s, each asked, answered and run once",
    async (_, count, play) => {
      play();
      const { sessionId, asked } = await ask(count);
      expect(asked.map(({ hold }) => hold)).toEqual(asked.map(() => "held"));
      await restart("SIGKILL");
      expect(idsOf(await api.interactions(sessionId, "pending"))).toEqual(idsOf(asked));

      const events = await approveAll(sessionId);
      expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "done" });
      for (const type of ["tool_call", "interaction_request", "tool_result"]) {
        const calls = events.flatMap((event) => (event.type === type ? [toolCallOf(event)] : []));
        expect(calls.filter((id) => !id.startsWith("agent_")).toSorted()).toEqual(["one", "two"]);
      }
      const delivered = await api.interactions(sessionId, "delivered");
      expect(delivered.map(({ how }) => how)).toEqual(["resumed", "resumed"]);
      const ran = readFileSync(join(folder, "work", "ran.txt"), "utf8")
        .trim()
        .split("\n");
      expect(ran.toSorted()).toEqual(["one", "two"]);
      expect(model.failures).toEqual([]);
    },
  );
});

describe("Claude that was allowed everything for a limited time", () => {
  test("[R-5] asks again once that time is over, with the next gateway after a kill", async () => {
    model.play(inOrder([[LIBRARY, bash("one")], [bash("two")], [say("All done.")]]));
    const { sessionId } = await api.createSession({
      agent: "claude",
      permissionMode: "bypassPermissions",
    });
    await api.send(sessionId, "Do it.");
    // The allowed commands have run; its question holds it, and it cannot be parked there.
    await untilAsked(sessionId, ["library"]);
    await gateway.stop("SIGKILL");
    await gateway[Symbol.asyncDispose]();
    endModes();
    await start();
    expect((await api.session(sessionId)).permissionMode).toBe("default");
    const [question] = await untilAsked(sessionId, ["library"]);
    const answers = question!.questions!.map(({ id, options }) => ({
      questionId: id,
      selected: [options[0]!.id],
    }));
    await api.respond(question!.interactionId, { action: "submit", answers });
    for (const id of ["one", "two"]) {
      const [asked] = await untilAsked(sessionId, [id]);
      await approve(asked!);
    }
    await untilEnds(sessionId, ["done"]);
    expect(linesOf("ran.txt")).toEqual(["one", "two"]);
    expect((await api.session(sessionId)).permissionMode).toBe("default");
    expect(model.failures).toEqual([]);
  });
});

/** Acts as if the gateway had been away for longer than the limited time. */
function endModes(): void {
  using database = new DatabaseSync(join(folder, "data", "holdpoint.db"));
  const changed = database.prepare(`
    UPDATE sessions SET json = json_set(json, '$.limitedMode.endsAt', '1970-01-01T00:00:00.000Z')
    WHERE json_extract(json, '$.limitedMode.mode') = 'bypassPermissions'`);
  expect(changed.run().changes).toBe(1);
}

const LIBRARY = callTool(
  "AskUserQuestion",
  {
    questions: [
      {
        header: "Library",
        question: "Which library?",
        multiSelect: false,
        options: [
          { label: "luxon", description: "Dates" },
          { label: "dayjs", description: "Small" },
        ],
      },
    ],
  },
  "library",
);

const idsOf = (interactions: readonly Interaction[]): string[] =>
  interactions.map(({ interactionId }) => interactionId).toSorted();
const linesOf = (path: string): string[] =>
  readFileSync(join(folder, "work", path), "utf8")
    .trim()
    .split("\n")
    .toSorted();

/** Waits until exactly these tool calls have pending requests. */
function untilAsked(
  sessionId: string,
  toolCallIds: readonly string[],
): Promise<readonly Interaction[]> {
  return until(
    async () => {
      const pending = await api.interactions(sessionId, "pending");
      const asked = pending.map(({ toolCallId }) => toolCallId).toSorted();
      return asked.join() === toolCallIds.toSorted().join() && pending;
    },
    `the interactions of ${toolCallIds.join(", ")}`,
  );
}

async function approve({ interactionId, approval }: Interaction): Promise<void> {
  await api.respond(interactionId, { action: "approve", digest: approval!.digest });
}

/** Asks at the call `first`, is parked by a stopping gateway, and continues in a turn of the next one. */
async function resumeOnce(): Promise<string> {
  const { sessionId } = await api.createSession({ agent: "claude", permissionMode: "acceptEdits" });
  await api.send(sessionId, "Do it.");
  await untilAsked(sessionId, ["first"]);
  await restart("SIGTERM");
  const [parked] = await untilAsked(sessionId, ["first"]);
  expect(parked?.hold).toBe("parked");
  await approve(parked!);
  return sessionId;
}

describe("Claude that continues after it was parked", () => {
  test("[R-4] [R-8] waits at calls that cannot be parked through two kills of the gateway", async () => {
    model.play(inOrder([[bash("first")], [bash("one"), bash("two")], [say("All done.")]]));
    const sessionId = await resumeOnce();
    const asked = await untilAsked(sessionId, ["one"]);
    for (let kill = 0; kill < 2; kill += 1) {
      await restart("SIGKILL");
      const again = await untilAsked(sessionId, ["one"]);
      expect(idsOf(again)).toEqual(idsOf(asked));
      expect(again.map(({ hold }) => hold)).toEqual(["held"]);
    }
    for (const id of ["one", "two"]) await approve((await untilAsked(sessionId, [id]))[0]!);
    const events = await untilEnds(sessionId, ["parked", "done"]);
    const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
    expect(calls).toEqual(["first", "one", "two"]);
    const results = events.flatMap((event) =>
      event.type === "tool_result" ? [event.toolCallId] : [],
    );
    expect(results).toEqual(["first", "one", "two"]);
    const delivered = await api.interactions(sessionId, "delivered");
    expect(delivered.map(({ how }) => how)).toEqual(["resumed", "resumed", "resumed"]);
    expect(linesOf("ran.txt")).toEqual(["first", "one", "two"]);
    expect((await api.session(sessionId)).permissionMode).toBe("acceptEdits");
    expect(model.failures).toEqual([]);
  });

  test("[R-4] waits in a gateway tool through a kill of the gateway, and repeats its call once", async () => {
    const question = callTool("mcp__holdpoint__ask_user", { question: "Which?" }, "question");
    model.play(inOrder([[bash("first")], [bash("one"), question], [say("All done.")]]));
    const sessionId = await resumeOnce();
    await approve((await untilAsked(sessionId, ["one"]))[0]!);
    const asked = await untilAsked(sessionId, ["question"]);
    await restart("SIGKILL");
    const [again] = await untilAsked(sessionId, ["question"]);
    expect([again?.interactionId, again?.hold]).toEqual([asked[0]?.interactionId, "held"]);
    await api.respond(again!.interactionId, {
      action: "submit",
      values: { answer: "The red one" },
    });
    await untilEnds(sessionId, ["parked", "done"]);
    const heard = model.requests.at(-1)!.results.filter(({ text }) => text.includes("red one"));
    expect(heard).toHaveLength(1);
    const { status, how } = await api.interaction(again!.interactionId);
    expect([status, how]).toEqual(["delivered", "resumed"]);
    expect(model.failures).toEqual([]);
  });
});

/** Waits until the session's turns have ended for these reasons; returns the log. */
function untilEnds(
  sessionId: string,
  reasons: readonly string[],
): Promise<readonly SessionEvent[]> {
  return until(
    async () => {
      const events = await api.events(sessionId);
      const ends = events.flatMap((event) => (event.type === "turn_ended" ? [event.reason] : []));
      return ends.join() === reasons.join() && events;
    },
    `turns that end with ${reasons.join(", ")}`,
    20_000,
  );
}

describe("a call of a gateway tool that cannot be parked", () => {
  test("[R-4] is repeated once with the next gateway after a kill, and its answer is delivered once", async () => {
    const question = callTool("mcp__holdpoint__ask_user", { question: "Which?" }, "question");
    model.play(inOrder([[bash("one"), question], [say("All done.")]]));
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Do it.");
    await approve((await untilAsked(sessionId, ["one"]))[0]!);
    const asked = await untilAsked(sessionId, ["question"]);
    for (let kill = 0; kill < 2; kill += 1) {
      await restart("SIGKILL");
      const again = await untilAsked(sessionId, ["question"]);
      expect(idsOf(again)).toEqual(idsOf(asked));
      expect(again[0]?.hold).toBe("held");
    }
    const { interactionId } = asked[0]!;
    await api.respond(interactionId, { action: "submit", values: { answer: "The red one" } });
    const events = await untilEnds(sessionId, ["done"]);
    expect(
      events.flatMap((event) => (event.type === "tool_result" ? [event.toolCallId] : [])),
    ).toEqual(["one", "question"]);
    const texts = model.requests.at(-1)!.results.map(({ text }) => text);
    expect(texts.filter((text) => text.includes("red one"))).toHaveLength(1);
    const { status, how } = await api.interaction(interactionId);
    expect([status, how]).toEqual(["delivered", "resumed"]);
    expect(model.failures).toEqual([]);
  });
});

/** Claude's own records of its conversations. */
function readRecords(): string {
  const projects = join(folder, ".claude-data/projects");
  const names = readdirSync(projects, { recursive: true }).map(String);
  const records = names.filter((name) => name.endsWith(".jsonl"));
  return records.map((name) => readFileSync(join(projects, name), "utf8")).join("");
}

describe("an approval that Claude has already acted on", () => {
  test("[R-4] is delivered, though everything was killed before that was recorded", async () => {
    const command = "touch begun.txt; sleep 2; echo slow >> ran.txt";
    const slow = { command, description: "Take a while" };
    model.play(inOrder([[callTool("Bash", slow, "slow")], [say("All done.")]]));
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Do it.");
    const [asked] = await untilAsked(sessionId, ["slow"]);
    await approve(asked!);
    await until(async () => existsSync(join(folder, "work", "begun.txt")), "its begin");
    gateway.process.kill("SIGSTOP");
    await until(async () => readRecords().includes('"tool_result"'), "the result of the call");
    process.kill(readHostRecord().record.host.pid, "SIGKILL");
    await restart("SIGKILL");
    const settled = await until(async () => {
      const interaction = await api.interaction(asked!.interactionId);
      return interaction.status === "delivered" && interaction;
    }, "the delivery");
    expect(settled.how).toBe("resumed");
    expect(linesOf("ran.txt")).toEqual(["slow"]);
  });
});

describe("Claude with a host of another version", () => {
  test("[R-4] is ended, its turn reports that, and the answer starts it again at the same call", async () => {
    const asked = await leaveAsking();
    const { path, record } = readHostRecord();
    writeFileSync(path, JSON.stringify({ ...record, version: 999 }));
    await start();
    const parked = await untilParked(asked);
    const events = await untilEnds(asked.sessionId, ["error"]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "error", code: "AGENT_OTHER_VERSION" }),
    );
    await expectRunOnce(parked);
  });
});

describe("Claude that is killed while its gateway is away", () => {
  test("[R-4] is parked by the next gateway, and the answer starts it again at the same call", async () => {
    const asked = await leaveAsking();
    process.kill(readHostRecord().record.agent.pid, "SIGKILL");
    await start();
    await expectRunOnce(await untilParked(asked));
  });
});

/** Claude asks, and its gateway is killed. */
async function leaveAsking(): Promise<Interaction> {
  model.play(inOrder([[bash("one")], [say("All done.")]]));
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, "Do it.");
  const [asked] = await untilAsked(sessionId, ["one"]);
  await gateway.stop("SIGKILL");
  await gateway[Symbol.asyncDispose]();
  return asked!;
}

/** Sooner than the gateway would give up a living agent. */
function untilParked({ interactionId }: Interaction): Promise<Interaction> {
  const look = async () => {
    const interaction = await api.interaction(interactionId);
    return interaction.hold === "parked" && interaction;
  };
  return until(look, "the parked interaction");
}

/** Expects that the answer starts Claude again, and that the command runs once. */
async function expectRunOnce(parked: Interaction): Promise<void> {
  await approve(parked);
  await untilEnds(parked.sessionId, ["error", "done"]);
  expect(linesOf("ran.txt")).toEqual(["one"]);
  expect(model.failures).toEqual([]);
}

interface HostRecord {
  readonly host: { readonly pid: number };
  readonly agent: { readonly pid: number };
}

/** The record of the only agent host. */
function readHostRecord(): { readonly path: string; readonly record: HostRecord } {
  const hosts = join(folder, "data/hosts");
  const [name = ""] = readdirSync(hosts).filter((file) => file.endsWith(".json"));
  const path = join(hosts, name);
  return { path, record: JSON.parse(readFileSync(path, "utf8")) as HostRecord };
}

function toolCallOf(event: SessionEvent): string {
  if (event.type === "interaction_request") return event.interaction.toolCallId;
  return "toolCallId" in event ? (event.toolCallId ?? "") : "";
}
