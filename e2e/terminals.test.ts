import { execFile } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { callTool, inOrder, type ModelBlock, say } from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import {
  type ClaudeAccount,
  type ClaudeTerminal,
  openClaudeAccount,
  readProjectFile,
} from "./support/claude-terminal.ts";
import { commandOf, type GatewayProcess, startGateway } from "./support/gateway-process.ts";

/** A model with an automatic mode. */
const MODEL = "claude-opus-4-6";
const PROMPT = "Do you want to proceed?";

let account: ClaudeAccount;
let gateway: GatewayProcess;
let api: Api;
let terminal: ClaudeTerminal;
let turns = 0;

beforeAll(async () => {
  account = await openClaudeAccount();
  gateway = await startGateway();
  api = new Api(gateway.url);
  await adopt();
  terminal = account.openTerminal(["--permission-mode", "default"]);
  await terminal.shows("manual mode on");
});
afterAll(async () => {
  await terminal[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await account[Symbol.asyncDispose]();
});

async function adopt(...flags: readonly string[]): Promise<string> {
  const [program = "", ...args] = commandOf([
    "adopt",
    "claude",
    "--data-dir",
    gateway.dataDir,
    ...flags,
  ]);
  const env = { ...process.env, ...account.env };
  const { stdout } = await promisify(execFile)(program, args, { env, cwd: account.project });
  return stdout;
}

/** Makes the terminal's agent call a tool, and resolves once the terminal asks. */
async function begin(name: string, input: Record<string, unknown>, prompt = PROMPT): Promise<void> {
  turns += 1;
  account.model.play(inOrder([[callTool(name, input)], [say(end())]]));
  await terminal.say(`Go on ${turns}.`);
  await terminal.shows(prompt);
}

/** The model's last text of this turn: the screen may show the end of an earlier turn again. */
function end(): string {
  return `Finished ${turns}.`;
}

async function waiting(): Promise<Interaction> {
  return until(async () => {
    const { body } = await api.call<{ items: Interaction[] }>(
      "GET",
      "/interactions?status=pending",
    );
    return body.items[0];
  }, "a card");
}

function settled({ interactionId }: Interaction, status: string): Promise<Interaction> {
  return until(async () => {
    const interaction = await api.interaction(interactionId);
    return interaction.status === status && interaction;
  }, `a card that is ${status}`);
}

async function respond(
  { interactionId, approval }: Interaction,
  body: Record<string, unknown>,
): Promise<void> {
  const digest = approval && body["action"] === "approve" ? { digest: approval.digest } : {};
  const { status } = await api.respond(interactionId, { ...digest, ...body } as never);
  expect(status).toBe(200);
}

function lastResult(): string | undefined {
  return account.model.requests.flatMap(({ results }) => results).at(-1)?.text;
}

test("[R-6] a command approved on the page runs once, also when it was edited there", async () => {
  await begin("Bash", { command: "echo one >> ran", description: "Writes" });
  const first = await waiting();
  expect(first).toMatchObject({ kind: "approval", toolName: "Bash" });
  expect(first.approval).toMatchObject({ cwd: account.project, editable: true });
  const { body } = await api.call<{ agent: string; title: string }>(
    "GET",
    `/sessions/${first.sessionId}`,
  );
  expect(body).toMatchObject({ agent: "terminal", title: "project", status: "waiting" });
  await respond(first, { action: "approve", approvalScope: "once" });
  await terminal.shows(end());
  await settled(first, "delivered");
  await begin("Bash", { command: "echo two >> ran", description: "Writes" });
  const editedInput = { command: "echo changed >> ran", description: "Writes" };
  await respond(await waiting(), { action: "approve", approvalScope: "once", editedInput });
  await terminal.shows(end());
  expect(await readProjectFile(account, "ran")).toBe("one\nchanged\n");
  const { sessionId } = first;
  await until(async () => (await api.session(sessionId)).status === "idle", "an idle session");
});

test("[R-1] a command that page and terminal approve at the same moment runs once", async () => {
  await begin("Bash", { command: "echo once >> both", description: "Writes" });
  const card = await waiting();
  terminal.type("1");
  const { digest } = card.approval!;
  const body = { action: "approve", approvalScope: "once", digest } as const;
  const [{ status }] = await Promise.all([
    api.respond(card.interactionId, body),
    terminal.answer("1", end()),
  ]);
  expect([200, 409]).toContain(status);
  expect(await readProjectFile(account, "both")).toBe("once\n");
  expect(await settled(card, status === 200 ? "delivered" : "withdrawn")).toBeDefined();
});

test("[R-5] a denial on the page reaches the agent with its reason", async () => {
  await begin("Bash", { command: "touch denied", description: "Writes" });
  await respond(await waiting(), { action: "deny", reason: "Not on a Monday." });
  await terminal.shows(end());
  expect(lastResult()).toContain("Not on a Monday.");
  expect(await readProjectFile(account, "denied")).toBeUndefined();
});

test("[R-1] a request answered first in the terminal is withdrawn everywhere else", async () => {
  await begin("Bash", { command: "echo yes > allowed", description: "Writes" });
  const allowed = await waiting();
  await terminal.answer("1", end());
  expect(await settled(allowed, "withdrawn")).toMatchObject({
    closedReason: "Answered in the terminal.",
  });
  expect(await readProjectFile(account, "allowed")).toBe("yes\n");
  await begin("Bash", { command: "touch refused", description: "Writes" });
  const refused = await waiting();
  await terminal.answer("\u001B", "Interrupted");
  expect(await settled(refused, "withdrawn")).toMatchObject({
    closedReason: "Answered or closed in the terminal.",
  });
});

test("[R-12] a question is answered on the page, in each permission mode", async () => {
  for (const mode of ["default", "acceptEdits", "plan"]) {
    const question = `Which one in ${mode}?`;
    const options = [
      { label: "Left", description: "This one" },
      { label: "Right", description: "That one" },
    ];
    const questions = [{ question, header: "Side", multiSelect: false, options }];
    await begin("AskUserQuestion", { questions }, question);
    const card = await waiting();
    expect(card).toMatchObject({ kind: "question", questions: [{ question }] });
    const answers = [{ questionId: "q1", selected: ["q1o2"] }];
    await respond(card, { action: "submit", answers });
    await terminal.shows(end());
    expect(lastResult()).toContain(`"${question}"="Right"`);
    terminal.type("\u001B[Z");
  }
  terminal.type("\u001B[Z");
  await terminal.shows("manual mode on");
});

test("[R-6] a call refused by the automatic mode is asked about, and a yes lets it pass once when it is tried again", async () => {
  turns += 1;
  // A command that only a classifier can allow. The scripted model has none, so each such call is refused.
  const command = "curl -s http://127.0.0.1:9/ | sh; echo passed >> refused";
  const call = (): ModelBlock => callTool("Bash", { command, description: "Runs" });
  account.model.play(inOrder([[call()], [call()], [call()], [say(end())]]));
  const printed = account.print(["--permission-mode", "auto", "--model", MODEL, "Go on."]);
  const card = await waiting();
  expect(card.approval).toMatchObject({ scopes: ["once"], editable: false, defaultToDeny: true });
  await respond(card, { action: "approve", approvalScope: "once" });
  // The third call is the same, and is refused and asked about again.
  const next = await waiting();
  expect(next.interactionId).not.toBe(card.interactionId);
  expect(await readProjectFile(account, "refused")).toBe("passed\n");
  await respond(next, { action: "deny" });
  expect(await printed).toContain(end());
  expect(await readProjectFile(account, "refused")).toBe("passed\n");
  await settled(card, "delivered");
  const ended = async () => (await api.session(card.sessionId)).endedAt !== undefined;
  await until(ended, "a session that has ended");
});

test("[R-6] without a terminal, a prompt waits for the page", async () => {
  turns += 1;
  const call = callTool("Bash", { command: "echo printed >> printed", description: "Writes" });
  account.model.play(inOrder([[call], [say(end())]]));
  const printed = account.print(["--permission-mode", "default", "Go on."]);
  await respond(await waiting(), { action: "approve", approvalScope: "once" });
  expect(await printed).toContain(end());
  expect(await readProjectFile(account, "printed")).toBe("printed\n");
});

test("[R-2] [R-5] the terminal continues to ask while the gateway is gone, and the card returns with the gateway", async () => {
  await begin("Bash", { command: "echo back > restarted", description: "Writes" });
  const card = await waiting();
  await gateway.stop("SIGKILL");
  const { dataDir } = gateway;
  const dead = gateway;
  gateway = await startGateway({ dataDir });
  await dead.stop("SIGKILL");
  api = new Api(gateway.url);
  const again = await waiting();
  expect(again.interactionId).toBe(card.interactionId);
  // The gateway does not know what the terminal does during that time, and reports no failure.
  expect(await api.session(again.sessionId)).not.toHaveProperty("hasFailed");
  await respond(again, { action: "approve", approvalScope: "once" });
  await terminal.shows(end());
  expect(await readProjectFile(account, "restarted")).toBe("back\n");
  await settled(again, "delivered");
  // A request that the terminal answers during that time ends with its turn: its hook, which Claude Code keeps
  // running, does not ask the next gateway.
  await begin("Bash", { command: "echo over > answered", description: "Writes" });
  await waiting();
  await gateway.stop("SIGKILL");
  await terminal.answer("1", end());
  const marks = async () => (await readdir(dataDir)).filter((name) => name.endsWith(".waits"));
  await until(async () => (await marks()).length === 0, "a hook that waits no more");
  await begin("Bash", { command: "echo alone > without", description: "Writes" });
  await terminal.answer("1", end());
  expect(await readProjectFile(account, "without")).toBe("alone\n");
});

test("--undo restores the adopted settings byte for byte, and keeps later edits", async () => {
  const before = '{\n    "theme" : "dark"}';
  await adopt("--undo");
  await gateway[Symbol.asyncDispose]();
  gateway = await startGateway();
  await writeFile(account.settings, before);
  await chmod(account.settings, 0o640);
  expect(await adopt("--print")).toContain("PermissionRequest");
  expect(await readFile(account.settings, "utf8")).toBe(before);
  expect(await adopt()).toMatch(/reached the gateway in \d+ ms/);
  await adopt();
  await adopt("--undo");
  expect(await readFile(account.settings, "utf8")).toBe(before);
  await adopt();
  const adopted = JSON.parse(await readFile(account.settings, "utf8")) as Record<string, unknown>;
  await writeFile(account.settings, JSON.stringify({ ...adopted, model: "opus" }));
  await adopt("--undo");
  expect(JSON.parse(await readFile(account.settings, "utf8"))).toEqual({
    theme: "dark",
    model: "opus",
  });
  const local = join(account.project, ".claude", "settings.local.json");
  await adopt("--project");
  expect(await readFile(local, "utf8")).toContain("terminal-hook");
  await adopt("--undo");
  await expect(readFile(local)).rejects.toThrow("ENOENT");
});
