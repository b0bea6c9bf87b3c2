/*
 * Fifty prompts of one turn: ten of the main thread and ten of each of four sub-agents, which run at the same time.
 * The gateway and Claude are the real programs; the model is scripted. The gateway is killed twice while answers are
 * on their way, and the agent continues with the next one. Checked: the log has everything from the model, once and
 * in order within each thread, and each prompt after its call; each prompt was asked once and can be answered
 * whichever gateway runs, and its command runs once.
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
import type { Interaction, SessionEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Api, type ApiAnswer, until } from "../support/api.ts";
import { type GatewayProcess, startGateway } from "../support/gateway-process.ts";

const THREADS = ["main", "north", "east", "south", "west"];
const [MAIN, ...ERRANDS] = THREADS;
const ROUNDS = 2;
const PROMPTS_PER_ROUND = 5;
const PROMPTS = THREADS.length * ROUNDS * PROMPTS_PER_ROUND;
/** Numbers of answers after which the gateway is killed. */
const KILLS_AFTER = [7, 29];

test(
  `[R-8] of ${PROMPTS} prompts from five threads at once none is lost when the gateway is killed, and each thread gets its answers in order`,
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
    const start = (): Promise<GatewayProcess> =>
      startGateway({
        dataDir: join(folder, "data"),
        cwd: join(folder, "work"),
        env: { ...model.env(join(folder, "claude")), HOME: join(folder, "home") },
      });
    let gateway = await start();
    const { sessionId } = await new Api(gateway.url).createSession({ agent: "claude" });
    await new Api(gateway.url).send(sessionId, "go");
    for (const count of KILLS_AFTER) {
      await answerUntil(gateway, sessionId, (log) => countOf(log, "interaction_response") >= count);
      await answerAndKill(gateway, sessionId);
      gateway = await start();
    }
    const log = await answerUntil(
      gateway,
      sessionId,
      (events) => countOf(events, "turn_ended") > 0,
    );
    expect(model.failures).toEqual([]);
    checkOrder(log, said);
    expect(await gateway.stop("SIGTERM")).toBe(0);
    await gateway[Symbol.asyncDispose]();
    const lines = readFileSync(join(folder, "work/order.txt"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(PROMPTS);
    expect(new Set(lines).size).toBe(PROMPTS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await annotate(
      `${lines.length} prompts of ${THREADS.length} threads, ${KILLS_AFTER.length} kills of the gateway`,
      "cases",
    );
  },
);

function threadOf({ firstPrompt }: ModelRequest): string {
  return ERRANDS.find((name) => firstPrompt.includes(`ERRAND ${name}`)) ?? MAIN!;
}

/** The model's next message in a thread: first the errands, then its rounds of prompts, then the end. */
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

/** Approves every request until the log meets the condition; returns the log. */
async function answerUntil(
  { url }: GatewayProcess,
  sessionId: string,
  isDone: (log: readonly SessionEvent[]) => boolean,
): Promise<readonly SessionEvent[]> {
  const api = new Api(url);
  return until(
    async () => {
      const log = await api.events(sessionId);
      if (isDone(log)) return log;
      const [asked] = await api.interactions(sessionId, "pending");
      // Kept whole, so that an unexpected answer shows its code.
      const answer = asked ? await approve(api, asked) : { status: 200 };
      expect(answer).toMatchObject({ status: 200 });
      return false;
    },
    "the answers",
    180_000,
  );
}

/** Approves every pending request, and kills the gateway while it handles that. */
async function answerAndKill(gateway: GatewayProcess, sessionId: string): Promise<void> {
  const api = new Api(gateway.url);
  const asked = await until(async () => {
    const pending = await api.interactions(sessionId, "pending");
    return pending.length > 1 && pending;
  }, "prompts of several threads");
  const answers = asked.map((one) => approve(api, one).catch(() => undefined));
  await Promise.race(answers);
  await gateway.stop("SIGKILL");
  await Promise.all(answers);
  await gateway[Symbol.asyncDispose]();
}

function approve(api: Api, { interactionId, approval }: Interaction): Promise<ApiAnswer<unknown>> {
  return api.respond(interactionId, { action: "approve", digest: approval!.digest });
}

function countOf(log: readonly SessionEvent[], type: SessionEvent["type"]): number {
  return log.filter((event) => event.type === type).length;
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
  for (const type of [
    "interaction_request",
    "interaction_response",
    "interaction_delivered",
  ] as const) {
    expect([type, countOf(log, type)]).toEqual([type, PROMPTS]);
  }
  const requests = log.filter((event) => event.type === "interaction_request");
  const asked = requests.map(({ interaction }) => interaction.toolCallId);
  expect(new Set(asked).size).toBe(PROMPTS);
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
