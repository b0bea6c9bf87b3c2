import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Interaction } from "@holdpoint/protocol";

import { Api, until } from "../../e2e/support/api.ts";
import { commandOf, type GatewayProcess, startGateway } from "../../e2e/support/gateway-process.ts";
import type { PseudoTerminal } from "../../e2e/support/pseudo-terminal.ts";
import { openCodexAccount } from "./codex-account.ts";
import { openResponsesModel } from "./responses-model.ts";

const PROMPT = "Would you like to run the following command?";
/**
 * A little less than the hook waits for a gateway. A busy machine may need longer to start one: try again on a quiet
 * one.
 */
const HOOK_WAITS_MS = 8000;
const TRUST = "Trust all and continue";

/**
 * Runs stock Codex in a pseudo-terminal, with the settings of `adopt codex` and a scripted model, and answers on both
 * sides. Throws when something does not work.
 */
export async function tryCodex(print: (line: string) => void): Promise<void> {
  await using open = new AsyncDisposableStack();
  const model = open.use(await openResponsesModel());
  const account = open.use(await openCodexAccount(model.url));
  let gateway = await startGateway();
  open.defer(() => gateway[Symbol.asyncDispose]());
  const adopt = (flags: string[] = []) => runAdopt(gateway, account, flags);
  print(await adopt());
  const doctor = await runHoldpoint(gateway, account, ["doctor"]).catch(String);
  check(doctor.includes("no one has trusted them"), "the doctor says that nothing is trusted yet");
  await account.paste(await printedToml(gateway, account));
  const terminal = open.use(account.openTerminal());
  await terminal.shows(TRUST);
  terminal.type("2");
  await terminal.shows(`› 2. ${TRUST}`);
  terminal.type("\r");
  await terminal.shows("Ask Codex to do anything");
  let turns = 0;
  const order = async (words: string): Promise<string> => {
    turns += 1;
    await terminal.say(words);
    return `Finished ${turns}.`;
  };
  const run = (command: string) => order(`Run: ${command}`);
  const says = (name: string) =>
    readFile(join(account.project, name), "utf8").catch(() => undefined);

  const ended = await run("echo ran >> allowed");
  const card = await waiting(gateway);
  check(card.approval?.scopes.join() === "once", "the card offers a plain yes alone");
  await respond(gateway, card, { action: "approve", approvalScope: "once" });
  await terminal.shows(ended);
  check((await says("allowed")) === "ran\n", "what the page approves runs once");

  const denied = await run("echo ran >> denied");
  await respond(gateway, await waiting(gateway), { action: "deny", reason: "Not on a Monday." });
  await terminal.shows(denied);
  check((await says("denied")) === undefined, "what the page denies does not run");
  check(
    model.results.at(-1)?.includes("Not on a Monday.") === true,
    "the reason reaches the model",
  );

  const asked = await order("Ask: Which colour?");
  const values = { answer: "Green" };
  await respond(gateway, await waiting(gateway), { action: "submit", values });
  await terminal.shows(asked);
  check(
    model.results.at(-1)?.includes("Green") === true,
    "with what agent-token prints for it, it asks by the gateway's tool",
  );

  const again = await run("echo ran >> restarted");
  const before = await waiting(gateway);
  const restartedAt = performance.now();
  gateway = await restart(gateway);
  const tookMs = performance.now() - restartedAt;
  check(tookMs < HOOK_WAITS_MS, "the gateway is there again before its hook has given up");
  const after = await waiting(gateway);
  check(after.interactionId === before.interactionId, "after a restart the card is there again");
  await respond(gateway, after, { action: "approve", approvalScope: "once" });
  await terminal.shows(again);
  check((await says("restarted")) === "ran\n", "and its answer counts, once");

  const gone = await run("echo ran >> gone");
  const lost = await waiting(gateway);
  await gateway.stop("SIGKILL");
  await answerInTerminal(terminal, gone);
  check((await says("gone")) === "ran\n", "killed while it is asked, the terminal asks");
  const without = await run("echo ran >> without");
  await answerInTerminal(terminal, without);
  check((await says("without")) === "ran\n", "without a gateway the terminal asks at once");

  gateway = await startGateway({ dataDir: gateway.dataDir });
  await settled(gateway, lost, "orphaned");
  await run("echo ran >> stopped");
  const stopped = await waiting(gateway);
  terminal.type("\u001B");
  await settled(gateway, stopped, "withdrawn");
  check((await says("stopped")) === undefined, "Esc in the terminal closes the card");

  await run("echo ran >> late");
  const late = await waiting(gateway);
  await settled(gateway, late, "withdrawn", 150_000);
  await answerInTerminal(terminal, `Finished ${turns}.`);
  check((await says("late")) === "ran\n", "without an answer the terminal asks after two minutes");
  await adopt(["--undo"]);
  check(!existsSync(account.hooks), "what was adopted is taken back");

  function check(holds: boolean, what: string): void {
    if (!holds) throw new Error(`Not so: ${what}.`);
    print(what);
  }
}

type Account = Awaited<ReturnType<typeof openCodexAccount>>;

async function runHoldpoint(
  { dataDir }: GatewayProcess,
  { env, project }: Account,
  words: readonly string[],
): Promise<string> {
  const [program = "", ...args] = commandOf([...words, "--data-dir", dataDir]);
  const options = { env: { ...process.env, ...env }, cwd: project };
  const ended = promisify(execFile)(program, args, options);
  const { stdout } = await ended.catch((error: unknown) => error as { stdout: string });
  return stdout;
}

/** The settings that `agent-token` prints for Codex. */
async function printedToml(gateway: GatewayProcess, account: Account): Promise<string> {
  const printed = await runHoldpoint(gateway, account, ["agent-token", "--label", "Codex"]);
  const [toml] = /^\[mcp_servers\.holdpoint\]\n(?:\S.*\n)+/m.exec(printed) ?? [];
  if (toml === undefined) throw new Error(`Nothing for Codex is in: ${printed}`);
  return toml;
}

function runAdopt(gateway: GatewayProcess, account: Account, flags: readonly string[]) {
  return runHoldpoint(gateway, account, ["adopt", "codex", ...flags]);
}

/** Kills the gateway and starts it again with the same folder. */
async function restart(gateway: GatewayProcess): Promise<GatewayProcess> {
  await gateway.stop("SIGKILL");
  return startGateway({ dataDir: gateway.dataDir });
}

async function answerInTerminal(terminal: PseudoTerminal, ended: string): Promise<void> {
  await terminal.shows(PROMPT);
  await terminal.answer("y", ended);
}

function waiting({ url }: GatewayProcess): Promise<Interaction> {
  const path = "/interactions?status=pending";
  return until(async () => {
    const { body } = await new Api(url).call<{ items: Interaction[] }>("GET", path);
    return body.items[0];
  }, "a card");
}

async function settled(
  { url }: GatewayProcess,
  { interactionId }: Interaction,
  status: string,
  withinMs = 30_000,
): Promise<void> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const interaction = await new Api(url).interaction(interactionId);
    if (interaction.status === status) return;
    if (performance.now() > untilMs) throw new Error(`The card is ${interaction.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function respond(
  { url }: GatewayProcess,
  { interactionId, approval }: Interaction,
  body: Record<string, unknown>,
): Promise<void> {
  const digest = body["action"] === "approve" ? { digest: approval?.digest } : {};
  const answer = await new Api(url).respond(interactionId, { ...digest, ...body } as never);
  if (answer.status !== 200) throw new Error(`The answer was refused: ${answer.status}.`);
}
