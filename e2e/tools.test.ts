import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

async function start(): Promise<void> {
  gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: folder,
    env: model.env(join(folder, "claude")),
  });
  api = new Api(gateway.url);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-tools-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
  await start();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function turn(prompt: string): Promise<string> {
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, prompt);
  return sessionId;
}

function done(sessionId: string): Promise<unknown> {
  return until(
    async () => (await api.events(sessionId)).findLast((event) => event.type === "turn_ended"),
    "the end of the turn",
  );
}

describe("Claude with the gateway's tools", () => {
  beforeEach(() => model.play(() => [say("Nothing to do.")]));
  afterEach(() => expect(model.failures).toEqual([]));

  test("asks a person and gets the answer", async () => {
    const ask = callTool("mcp__holdpoint__ask_user", { question: "Which library?" }, "toolu_ask");
    model.play(inOrder([[ask], [say("Thanks.")]]));
    const sessionId = await turn("Ask me.");
    const interaction = await pending(api, sessionId);
    expect(interaction).toMatchObject({ kind: "form", toolCallId: "toolu_ask" });
    const answer = await api.respond(interaction.interactionId, {
      action: "submit",
      values: { answer: "luxon" },
    });
    expect(answer.status).toBe(200);
    await done(sessionId);
    expect(model.requests.at(-1)?.results).toEqual([
      { toolCallId: "toolu_ask", text: '{"status":"answered","answer":"luxon"}', isError: false },
    ]);
  });
});
