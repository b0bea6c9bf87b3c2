/*
 * Gateways that end within 20 ms of the answers to their tools, by `kill -9` or in an orderly way. The gateway, the
 * hosts and Claude are the real programs; the model is scripted. Checked for every acknowledged answer: it reached
 * the agent in the result of its call, no one was asked again, and the tool acted at most once.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { callTool, openScriptedModel, say, type ScriptedModel } from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Api, until } from "../support/api.ts";
import { type GatewayProcess, startGateway } from "../support/gateway-process.ts";

const ANSWERS = Number(process.env["CAMPAIGN_CASES"] ?? 12);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
const SESSIONS = 4;
const MAX_DELAY_MS = 20;
/** New sessions begin after this many rounds: growing conversations make each round slower. */
const ROUNDS_PER_SESSION = 25;

/** Acts after an approval; a second run would repeat the action. */
const DEPLOY = `import { appendFile } from "node:fs/promises";
export default {
  name: "deploy",
  description: "Deploys a release.",
  parameters: { type: "object", properties: { release: { type: "string" } }, required: ["release"] },
  async handler({ release }, { requestInteraction }) {
    const { action } = await requestInteraction({ kind: "approval", prompt: "Deploy " + release + "?" });
    if (action !== "approve") return "not deployed";
    await appendFile(process.env.DEPLOYED, release + "\\n");
    return "deployed " + release;
  },
};`;
/** Asks twice, so that the first answer has to survive until the second one. */
const NAME_BOTH = `export default {
  name: "name_both",
  description: "Asks for two names.",
  parameters: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
  async handler({ topic }, { requestInteraction }) {
    const ask = (which) => requestInteraction({
      kind: "form",
      prompt: which + " name for " + topic + "?",
      inputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
    });
    const first = await ask("First");
    const second = await ask("Second");
    return first.values.answer + " and " + second.values.answer;
  },
};`;

type Kind = "ask_user" | "deploy" | "name_both";
const KINDS: readonly Kind[] = ["ask_user", "deploy", "name_both", "deploy"];
const inputOf = (kind: Kind, tag: string): Record<string, string> =>
  kind === "ask_user"
    ? { question: `Which name for ${tag}?` }
    : { [kind === "deploy" ? "release" : "topic"]: tag };

let folder: string;
let model: ScriptedModel;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-answers-")));
  await mkdir(join(folder, "tools"));
  await writeFile(join(folder, "holdpoint.config.mjs"), "export default {};");
  await writeFile(join(folder, "tools/deploy.mjs"), DEPLOY);
  await writeFile(join(folder, "tools/name-both.mjs"), NAME_BOTH);
  model = await openScriptedModel(({ lastPrompt, results }) => {
    const [, kind, tag] = /^call (\w+) for (\w+)$/mu.exec(lastPrompt) ?? [];
    if (results.length > 0 || kind === undefined || tag === undefined) return [say("Done.")];
    return [callTool(`mcp__holdpoint__${kind}`, inputOf(kind as Kind, tag), `call_${tag}`)];
  });
});
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

function start(): Promise<GatewayProcess> {
  return startGateway({
    dataDir: `${folder}.data`,
    cwd: folder,
    args: ["--config", "holdpoint.config.mjs"],
    env: {
      ...model.env(join(folder, ".claude-data")),
      HOME: folder,
      IS_SANDBOX: "1",
      DEPLOYED: join(folder, "deployed.txt"),
    },
  });
}

interface Call {
  readonly sessionId: string;
  readonly kind: Kind;
  readonly tag: string;
}

async function pendingOf(api: Api, sessionId: string): Promise<Interaction | undefined> {
  return (await api.interactions(sessionId, "pending"))[0];
}

/** Returns true when the answer was acknowledged. A gateway that is already gone acknowledges nothing. */
async function answer(api: Api, call: Call, asked: Interaction): Promise<boolean> {
  const { interactionId, approval } = asked;
  const body = approval
    ? ({ action: "approve", digest: approval.digest } as const)
    : ({ action: "submit", values: { answer: nameOf(call, asked.prompt ?? "") } } as const);
  const status = await api.respond(interactionId, body).then(
    (given) => given.status,
    () => 0,
  );
  return status === 200;
}

/** The answer to the first question of a call, or to the second. */
const nameOf = ({ tag }: Call, prompt: string): string =>
  prompt.startsWith("Second") ? `Zoe-${tag}` : `Ada-${tag}`;

/** Lets the call finish with the next gateway, and answers requests that it had not made before. */
async function finish(api: Api, call: Call): Promise<string[]> {
  const problems: string[] = [];
  const { sessionId } = call;
  await until(async () => {
    const asked = await pendingOf(api, sessionId);
    if (asked && !(await answer(api, call, asked))) problems.push("an answer is refused");
    return (await api.session(sessionId)).status === "idle";
  }, `the end of ${call.tag}`);
  const requests = (await api.events(sessionId)).flatMap((event) =>
    event.type === "interaction_request" && event.interaction.toolCallId === `call_${call.tag}`
      ? event.interaction.interactionId
      : [],
  );
  const planned = call.kind === "name_both" ? 2 : 1;
  if (requests.length !== planned) problems.push(`${requests.length} requests, not ${planned}`);
  for (const id of requests) {
    const { status, how } = await api.interaction(id);
    if (status !== "delivered") problems.push(`${id} is ${status} (${how})`);
  }
  return [...problems, ...judgeResult(call)];
}

function judgeResult(call: Call): string[] {
  const { tag, kind } = call;
  const results = model.requests.flatMap(({ results }) =>
    results.filter(({ toolCallId }) => toolCallId === `call_${tag}`),
  );
  const texts = new Set(results.map(({ text }) => text));
  if (texts.size !== 1) return [`the agent has ${texts.size} results: ${[...texts].join(" | ")}`];
  const [text = ""] = texts;
  if (kind !== "deploy") {
    const prompts = kind === "ask_user" ? ["First"] : ["First", "Second"];
    const hasAll = prompts.every((prompt) => text.includes(nameOf(call, prompt)));
    return hasAll ? [] : [`it has "${text}"`];
  }
  const ran = deployed(tag);
  if (ran > 1) return [`it was deployed ${ran} times`];
  if (text.includes(`deployed ${tag}`)) return ran === 1 ? [] : ["it was never deployed"];
  return text.includes("RESULT_UNKNOWN") || /unknown whether/u.test(text)
    ? []
    : [`it has "${text}"`];
}

function deployed(tag: string): number {
  const path = join(folder, "deployed.txt");
  if (!existsSync(path)) return 0;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line === tag).length;
}

/** A repeatable sequence of numbers from 0 (inclusive) to 1 (exclusive). */
function randomFrom(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test.skipIf(process.platform !== "linux")(
  `[R-2] [R-4] ${ANSWERS} answers to gateway tools within ${MAX_DELAY_MS} ms of the gateway's end are neither lost nor asked for again nor used twice`,
  { timeout: 120_000 + ANSWERS * 15_000 },
  async ({ annotate }) => {
    const random = randomFrom(SEED);
    const broken: string[] = [];
    let acknowledged = 0;
    let sessionIds: readonly string[] = [];
    let gateway = await start();
    try {
      for (let round = 0; acknowledged < ANSWERS; round += 1) {
        const api = new Api(gateway.url);
        if (round % ROUNDS_PER_SESSION === 0) {
          const made = Array.from({ length: SESSIONS }, () =>
            api.createSession({ agent: "claude" }),
          );
          sessionIds = (await Promise.all(made)).map(({ sessionId }) => sessionId);
        }
        const calls = sessionIds.map((sessionId, index): Call => {
          const kind = KINDS[(round + index) % KINDS.length]!;
          const tag = `r${SEED}x${round}x${index}`;
          return { sessionId, kind, tag };
        });
        for (const { sessionId, kind, tag } of calls) {
          await api.send(sessionId, `call ${kind} for ${tag}`);
        }
        const asked = await Promise.all(
          calls.map(({ sessionId }) => until(() => pendingOf(api, sessionId), "a question")),
        );
        const delayMs = random() * MAX_DELAY_MS;
        const signal = random() < 0.5 ? "SIGKILL" : "SIGTERM";
        // The first acknowledged answer starts the countdown; the others are on their way at different stages.
        const given = calls.map((call, index) => answer(api, call, asked[index]!));
        await Promise.race(given);
        await sleep(delayMs);
        await gateway.stop(signal);
        const taken = await Promise.all(given);
        acknowledged += taken.filter(Boolean).length;
        await gateway[Symbol.asyncDispose]();
        gateway = await start();
        const next = new Api(gateway.url);
        const judged = await Promise.all(calls.map((call) => finish(next, call)));
        const of = (index: number): string => `${calls[index]!.kind} ${calls[index]!.tag}`;
        const found = judged.flatMap((problems, index) =>
          problems.map((one) => `${signal} ${delayMs.toFixed(1)} ms after, ${of(index)}: ${one}`),
        );
        // Printed at once, because a campaign takes long.
        for (const problem of found) process.stderr.write(`${problem}\n`);
        broken.push(...found);
      }
      await gateway.stop("SIGTERM");
    } finally {
      await gateway[Symbol.asyncDispose]();
    }
    await annotate(`${acknowledged} answers, from the seed ${SEED}`, "cases");
    expect(broken).toEqual([]);
  },
);
