import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

async function start(): Promise<void> {
  gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: join(folder, "work"),
    env: { ...model.env(join(folder, ".claude-data")), HOME: folder },
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

const bash = (name: string): ModelBlock =>
  callTool("Bash", { command: `echo ${name} >> ran.txt`, description: "Add a line" }, name);

/** Two calls in one message: Claude asks about the second after the first. */
function playTwoCalls(): void {
  model.play(inOrder([[bash("one"), bash("two")], [say("All done.")]]));
}

/** A call in each of two sub-agents, which ask at once. */
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

/** Approves whatever is asked until the turn has ended; returns the log. */
async function approveAll(sessionId: string): Promise<readonly SessionEvent[]> {
  return until(async () => {
    for (const { interactionId, approval } of await api.interactions(sessionId, "pending")) {
      await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    }
    const events = await api.events(sessionId);
    return events.some(({ type }) => type === "turn_ended") && events;
  }, "the end of the turn");
}

describe("Claude that waits at calls which cannot be parked", () => {
  test.each([
    ["two calls of one message", 1, playTwoCalls],
    ["calls of two sub-agents", 2, playTwoAgents],
  ])(
    "[R-4] [R-8] goes on with the next gateway after a kill: %s, each asked, told and run once",
    async (_, count, play) => {
      play();
      const { sessionId, asked } = await ask(count);
      expect(asked.map(({ hold }) => hold)).toEqual(asked.map(() => "held"));
      await gateway.stop("SIGKILL");
      await gateway[Symbol.asyncDispose]();
      await start();
      const ids = (interactions: readonly Interaction[]): string[] =>
        interactions.map(({ interactionId }) => interactionId).toSorted();
      expect(ids(await api.interactions(sessionId, "pending"))).toEqual(ids(asked));

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

function toolCallOf(event: SessionEvent): string {
  if (event.type === "interaction_request") return event.interaction.toolCallId;
  return "toolCallId" in event ? (event.toolCallId ?? "") : "";
}
