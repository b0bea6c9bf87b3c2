/*
 * Fifty prompts of one turn: ten of the main thread and ten of each of four sub-agents, which run at the same time. The
 * gateway and Claude are the real programs; the model is scripted. Checked: the log has everything that the model said, once
 * and in its order within each thread, each prompt after its call; each prompt can be answered, and what it allows runs
 * once.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  callTool,
  type ModelBlock,
  type ModelRequest,
  openScriptedModel,
  say,
} from "@holdpoint/agents/testing";
import type { SessionEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Api, until } from "../support/api.ts";
import { startGateway } from "../support/gateway-process.ts";

const THREADS = ["main", "north", "east", "south", "west"];
const [MAIN, ...ERRANDS] = THREADS;
const ROUNDS = 2;
const PROMPTS_PER_ROUND = 5;
const PROMPTS = THREADS.length * ROUNDS * PROMPTS_PER_ROUND;

test(
  `[R-8] of ${PROMPTS} prompts from five threads at once none is lost, and each thread is told in its order`,
  { timeout: 240_000 },
  async ({ annotate }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-order-")));
    for (const name of ["work", "home"]) await mkdir(join(folder, name));
    const said = new Map(THREADS.map((thread) => [thread, [] as ModelBlock[]]));
    await using model = await openScriptedModel((request) => {
      const thread = threadOf(request);
      const blocks = nextOf(thread, said.get(thread)!.length > 0 ? request : undefined);
      said.get(thread)!.push(...blocks);
      return blocks;
    });
    {
      await using gateway = await startGateway({
        dataDir: join(folder, "data"),
        cwd: join(folder, "work"),
        env: { ...model.env(join(folder, "claude")), HOME: join(folder, "home") },
      });
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "claude" });
      await api.send(sessionId, "go");
      const answered = await answerAll(api, sessionId);
      const log = await api.events(sessionId);
      expect(model.failures).toEqual([]);
      expect(answered.size).toBe(PROMPTS);
      checkOrder(log, said);
    }
    const lines = readFileSync(join(folder, "work/order.txt"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(PROMPTS);
    expect(new Set(lines).size).toBe(PROMPTS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await annotate(`${lines.length} prompts of ${THREADS.length} threads`, "cases");
  },
);

function threadOf({ firstPrompt }: ModelRequest): string {
  return ERRANDS.find((name) => firstPrompt.includes(`ERRAND ${name}`)) ?? MAIN!;
}

/** What the model says next in a thread: the errands first, then its rounds of prompts, then that it is done. */
function nextOf(thread: string, request: ModelRequest | undefined): ModelBlock[] {
  const isErrandsOver = thread !== MAIN || request !== undefined;
  if (!isErrandsOver) {
    const errand = (name: string) =>
      callTool(
        "Agent",
        { description: name, prompt: `ERRAND ${name}`, subagent_type: "general-purpose" },
        `toolu_${name}`,
      );
    return [say("main sends four errands"), ...ERRANDS.map(errand)];
  }
  const done =
    request?.allResults.filter(({ toolCallId }) => toolCallId.includes("prompt")).length ?? 0;
  const round = done / PROMPTS_PER_ROUND;
  if (round >= ROUNDS) return [say(`${thread} is done`)];
  const prompts = Array.from({ length: PROMPTS_PER_ROUND }, (_, index) => {
    const name = `${thread}_${round}_${index}`;
    return callTool("Bash", { command: `echo ${name} >> order.txt` }, `toolu_prompt_${name}`);
  });
  return [say(`${thread} begins round ${round}`), ...prompts];
}

/** Approves whatever is asked until the turn has ended. The ids of what was answered. */
async function answerAll(api: Api, sessionId: string): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  await until(
    async () => {
      for (const { interactionId, approval } of await api.interactions(sessionId, "pending")) {
        const { status } = await api.respond(interactionId, {
          action: "approve",
          digest: approval!.digest,
        });
        if (status === 200) answered.add(interactionId);
      }
      return (await api.events(sessionId)).some(({ type }) => type === "turn_ended");
    },
    "the end of the turn",
    180_000,
  );
  return answered;
}

function checkOrder(
  log: readonly SessionEvent[],
  said: ReadonlyMap<string, readonly ModelBlock[]>,
): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  for (const [thread, blocks] of said) {
    const parent = thread === MAIN ? undefined : `toolu_${thread}`;
    const told = log.flatMap((event) => {
      if (event.type !== "assistant_message" && event.type !== "tool_call") return [];
      if (event.parentToolCallId !== parent) return [];
      return [event.type === "tool_call" ? event.toolCallId : event.text];
    });
    expect(told).toEqual(blocks.map((block) => ("id" in block ? block.id : textOf(block))));
  }
  const requests = log.filter((event) => event.type === "interaction_request");
  const asked = requests.map(({ interaction }) => interaction.toolCallId);
  expect(new Set(asked).size).toBe(PROMPTS);
  expect(asked).toHaveLength(PROMPTS);
  for (const { seq, interaction } of requests) {
    const call = log.find(
      (event) => event.type === "tool_call" && event.toolCallId === interaction.toolCallId,
    );
    expect(call?.seq).toBeLessThan(seq);
  }
}

function textOf(block: ModelBlock): string {
  return block.type === "text" ? block.text : "";
}
