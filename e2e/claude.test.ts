import { existsSync } from "node:fs";
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

import { Api, endOfTurn, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

/** Starts the gateway as a person would, with a Claude that uses the scripted model. */
async function start(): Promise<void> {
  gateway = await startGateway({
    dataDir: `${folder}.data`,
    cwd: join(folder),
    env: model.env(join(folder, "claude")),
  });
  api = new Api(gateway.url);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-claude-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
  await start();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

const bash = (command: string) => callTool("Bash", { command, description: "Try it" });
const question = callTool("AskUserQuestion", {
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
    {
      header: "Targets",
      question: "Which targets?",
      multiSelect: true,
      options: [
        { label: "Node, and Bun", description: "Servers" },
        { label: "Browser", description: "Pages" },
      ],
    },
  ],
});

async function turn(prompt: string): Promise<string> {
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, prompt);
  return sessionId;
}

const done = (sessionId: string) => endOfTurn(api, sessionId);

/** The tool results in the model's last request. */
const toldModel = () =>
  model.requests
    .at(-1)
    ?.results.map((result) => result.text)
    .join("\n") ?? "";

describe("Claude behind the gateway", () => {
  beforeEach(() => model.play(() => [say("Nothing to do.")]));
  afterEach(() => expect(model.failures).toEqual([]));

  test("is offered first where a key is present", async () => {
    const agents = await api.agents();
    expect(agents.map(({ agent, available }) => ({ agent, available }))).toEqual([
      { agent: "claude", available: true },
      { agent: "demo", available: true },
    ]);
  });

  test("[R-12] gets exactly the answers: one, several with a comma in a label, and own words", async () => {
    model.play(inOrder([[question], [say("Thanks.")]]));
    const sessionId = await turn("Ask me.");
    const { interactionId, kind, questions } = await pending(api, sessionId);
    expect(kind).toBe("question");
    const [first, second] = questions!;
    const answers = [
      { questionId: first!.id, selected: [first!.options[0]!.id] },
      {
        questionId: second!.id,
        selected: second!.options.map((option) => option.id),
        other: "Deno",
      },
    ];
    expect((await api.respond(interactionId, { action: "submit", answers })).status).toBe(200);
    expect(await done(sessionId)).toMatchObject({ reason: "done" });
    // The rest of the sentence is Claude's own advice to the model.
    const [answered] = toldModel().split(". ");
    expect(answered).toBe(
      `The user answered: "Which library?"="luxon", "Which targets?"=""Node, and Bun", Browser, Deno"`,
    );
    expect(await api.interaction(interactionId)).toMatchObject({
      status: "delivered",
      how: "resumed",
    });
  });

  test("[R-6] runs the allowed command, and the edited command instead of the original", async () => {
    model.play(
      inOrder([[bash("echo one > allowed.txt")], [bash("echo two > shown.txt")], [say("Done.")]]),
    );
    const sessionId = await turn("Write files.");
    const first = await pending(api, sessionId);
    expect(first.approval).toMatchObject({
      input: { command: "echo one > allowed.txt" },
      cwd: folder,
    });
    expect(existsSync(join(folder, "allowed.txt"))).toBe(false);
    const wrong = await api.respond(first.interactionId, {
      action: "approve",
      digest: "0".repeat(64),
    });
    expect(wrong).toMatchObject({ status: 409, body: { code: "DIGEST_MISMATCH" } });
    await api.respond(first.interactionId, { action: "approve", digest: first.approval!.digest });

    const second = await until(
      async () =>
        (await api.interactions(sessionId, "pending")).find(
          (next) => next.interactionId !== first.interactionId,
        ),
      "the second approval",
    );
    await api.respond(second.interactionId, {
      action: "approve",
      digest: second.approval!.digest,
      editedInput: { ...second.approval!.input, command: "echo two > edited.txt" },
    });
    await done(sessionId);
    expect(existsSync(join(folder, "allowed.txt"))).toBe(true);
    expect(existsSync(join(folder, "edited.txt"))).toBe(true);
    expect(existsSync(join(folder, "shown.txt"))).toBe(false);
  });

  test("gives the model the reason for a denial, and runs nothing", async () => {
    model.play(inOrder([[bash("echo no > denied.txt")], [say("Understood.")]]));
    const sessionId = await turn("Write a file.");
    const { interactionId } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "deny", reason: "Use a temporary folder" });
    await done(sessionId);
    expect(toldModel()).toContain("Use a temporary folder");
    expect(existsSync(join(folder, "denied.txt"))).toBe(false);
  });

  test("does not ask again for a command that is always allowed", async () => {
    const again = "touch always.txt";
    model.play(inOrder([[bash(again)], [bash(again)], [say("Done twice.")]]));
    const sessionId = await turn("Touch it twice.");
    const { interactionId, approval } = await pending(api, sessionId);
    expect(approval!.scopes).toContain("always");
    expect(approval!.scopeText.always).toContain("touch");
    await api.respond(interactionId, {
      action: "approve",
      digest: approval!.digest,
      approvalScope: "always",
    });
    await done(sessionId);
    const asked = (await api.events(sessionId)).filter(
      (event) => event.type === "interaction_request",
    );
    expect(asked).toHaveLength(1);
    expect(existsSync(join(folder, "always.txt"))).toBe(true);
  });

  test("hands no HOLDPOINT_ variable to the agent", async () => {
    model.play(
      inOrder([
        [bash("env > environment.txt")],
        [callTool("Read", { file_path: join(folder, "environment.txt") })],
        [say("Seen.")],
      ]),
    );
    const sessionId = await turn("Show your environment.");
    const { interactionId, approval } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    await done(sessionId);
    expect(toldModel()).toContain("CLAUDE_CONFIG_DIR");
    expect(toldModel()).not.toContain("HOLDPOINT");
  });

  test("[R-4] [R-5] waits for the next gateway when its own is killed, and continues with the answer", async () => {
    model.play(inOrder([[bash("echo late > late.txt")], [say("I will try again.")]]));
    const sessionId = await turn("Remember the word heliotrope, then write a file.");
    const { interactionId, approval } = await pending(api, sessionId);
    const asked = model.requests.length;
    await gateway.stop("SIGKILL");
    await start();
    expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
    expect(model.requests).toHaveLength(asked);
    expect(existsSync(join(folder, "late.txt"))).toBe(false);

    const answered = await api.respond(interactionId, {
      action: "approve",
      digest: approval!.digest,
    });
    expect(answered.status).toBe(200);
    await until(async () => model.requests.length > asked, "the model to be asked again");
    const { body } = model.requests[asked]!;
    expect(JSON.stringify(body["messages"])).toContain("heliotrope");
    expect(existsSync(join(folder, "late.txt"))).toBe(true);
    await until(
      async () => (await api.interaction(interactionId)).status === "delivered",
      "the delivery",
    );
    expect(await api.interaction(interactionId)).toMatchObject({ how: "resumed" });
  });
});
