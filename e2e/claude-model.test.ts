import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { AgentCommand, AgentModel, Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Api, endOfTurn, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

async function start(config: object = {}): Promise<void> {
  const path = join(folder, "config.json");
  await writeFile(path, JSON.stringify(config));
  gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: join(folder, "work"),
    args: ["--config", path],
    env: { ...model.env(join(folder, ".claude-data")), HOME: folder },
  });
  api = new Api(gateway.url);
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-model-")));
  await mkdir(join(folder, "work"));
  model = await openScriptedModel(() => [say("Here I am.")]);
});
afterEach(async () => {
  await gateway.stop("SIGTERM");
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const listModels = async (sessionId: string): Promise<readonly AgentModel[]> =>
  (await api.call<{ items: AgentModel[] }>("GET", `/sessions/${sessionId}/models`)).body.items;
async function listCommands(sessionId: string): Promise<readonly string[]> {
  const path = `/sessions/${sessionId}/commands`;
  const { body } = await api.call<{ items: AgentCommand[] }>("GET", path);
  return body.items.map(({ name }) => name);
}
const choose = (sessionId: string, name: string) =>
  api.call("PATCH", `/sessions/${sessionId}`, { model: name });
const usedModels = () => model.requests.map((request) => request.model);

/** The full name of a model, as Claude lists it. */
async function nameOf(sessionId: string, name: string): Promise<string> {
  const found = (await listModels(sessionId)).find((one) => one.model === name);
  return found?.resolvesTo ?? "not listed";
}

async function tell(sessionId: string, text: string): Promise<void> {
  const before = (await api.events(sessionId)).filter(({ type }) => type === "turn_ended").length;
  await api.send(sessionId, text);
  await until(async () => {
    const ends = (await api.events(sessionId)).filter(({ type }) => type === "turn_ended");
    return ends.length > before;
  }, "the end of the turn");
}

describe("the model of the real Claude", () => {
  test("is listed before the first message, chosen, used, and kept by the next gateway", async () => {
    await start();
    const { sessionId } = await api.createSession({ agent: "claude" });
    const models = await listModels(sessionId);
    expect(models[0]).toMatchObject({
      model: "default",
      label: expect.stringContaining("Default"),
    });
    expect(model.requests).toEqual([]);
    expect(await api.events(sessionId)).toEqual([]);
    const [own, sonnet] = [models[0]!.resolvesTo, await nameOf(sessionId, "sonnet")];

    await tell(sessionId, "Hello.");
    expect(await api.session(sessionId)).toMatchObject({ activeModel: own });
    expect((await choose(sessionId, "sonnet")).status).toBe(200);
    const chosen = await api.session(sessionId);
    expect(chosen).toMatchObject({ model: "sonnet" });
    expect(chosen.activeModel).toBeUndefined();
    await tell(sessionId, "And now?");
    expect(await api.session(sessionId)).toMatchObject({ activeModel: sonnet });
    await gateway.stop("SIGKILL");
    await gateway[Symbol.asyncDispose]();
    await start();
    expect(await api.session(sessionId)).toMatchObject({ model: "sonnet", activeModel: sonnet });
    await tell(sessionId, "Still?");
    expect(usedModels()).toEqual([own, sonnet, sonnet]);
    const told = (await api.events(sessionId)).flatMap((event) =>
      event.type === "session_updated" ? [event.activeModel ?? event.model ?? ""] : [],
    );
    expect(told.filter((name) => name !== "")).toEqual([own, "sonnet", sonnet]);
  });

  test("is reported when a command of Claude's changed it, and can be chosen again", async () => {
    await start();
    const { sessionId } = await api.createSession({ agent: "claude", model: "sonnet" });
    await tell(sessionId, "Hello.");
    const sonnet = await nameOf(sessionId, "sonnet");
    await tell(sessionId, "/model haiku");
    await tell(sessionId, "Who are you?");
    const haiku = await nameOf(sessionId, "haiku");
    expect(await api.session(sessionId)).toMatchObject({ model: "sonnet", activeModel: haiku });
    await choose(sessionId, "sonnet");
    await tell(sessionId, "And now?");
    expect(usedModels().at(-1)).toBe(sonnet);
    const refused = await choose(sessionId, "no-such-model");
    expect(refused).toMatchObject({ status: 422, body: { code: "INVALID_REQUEST" } });
    expect(await api.session(sessionId)).toMatchObject({ model: "sonnet", activeModel: sonnet });
  });

  test.each([
    ["is held for the next gateway", {}],
    ["is parked", { parkAfterMs: 500 }],
  ])("[R-4] is listed and changed while an agent that %s waits", async (how, config) => {
    const bash = callTool("Bash", { command: "touch ran.txt", description: "Try" });
    model.play(inOrder([[bash], [say("Done.")]]));
    await start(config);
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Do it.");
    const { interactionId, approval } = await pending(api, sessionId);
    if (how === "is parked") await until(() => isParked(interactionId), "the parked interaction");
    else {
      await gateway.stop("SIGKILL");
      await gateway[Symbol.asyncDispose]();
      await start(config);
    }
    const haiku = await nameOf(sessionId, "haiku");
    expect(await listCommands(sessionId)).toContain("compact");
    expect(await choose(sessionId, "haiku")).toMatchObject({ status: 200 });
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    await endOfTurn(api, sessionId);
    await until(async () => (await api.session(sessionId)).status === "idle", "the end");
    expect(usedModels().at(-1)).toBe(haiku);
    expect(await api.session(sessionId)).toMatchObject({ model: "haiku", activeModel: haiku });
    expect(model.failures).toEqual([]);
  });
});

async function isParked(interactionId: string): Promise<Interaction | false> {
  const interaction = await api.interaction(interactionId);
  return interaction.hold === "parked" && interaction;
}
