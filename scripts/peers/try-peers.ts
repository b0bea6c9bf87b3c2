import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";

import { until } from "../../e2e/support/api.ts";
import { checkTypes } from "../publish/check-types.ts";
import { installInto } from "../publish/install-into.ts";
import { CONSUMER } from "./consumer.ts";

const TOKEN = "try-peers-0123456789-abcdefghijklmnop";
const START_MS = 60_000;
const RUN_MS = 120_000;
const PROOF = "ran-once.txt";
const DENIED = "denied.txt";

/** One version of each peer; React may also be a tag or a range. */
export interface Peers {
  readonly react: string;
  readonly sdk: string;
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Installs the packed package with these peers into an empty folder, compiles a program that uses it, and runs that
 * against the installed gateway, with the demo agent and with the real Claude and a scripted model. Throws when
 * something does not work.
 */
export async function tryPeers(
  folder: string,
  packed: string,
  { react, sdk }: Peers,
  print: (line: string) => void,
): Promise<void> {
  writeFileSync(join(folder, "package.json"), `{"name":"peers","private":true,"type":"module"}`);
  const reacts = ["react", "react-dom", "@types/react", "@types/react-dom"];
  const peers = [
    ...reacts.map((name) => `${name}@${react}`),
    `@anthropic-ai/claude-agent-sdk@${sdk}`,
  ];
  installInto(folder, [packed, ...peers, "@types/node@24"]);
  writeFileSync(join(folder, "consumer.ts"), CONSUMER);
  // Missing types of the SDK's dependencies are not our fault: the consumer does not import them.
  checkTypes(folder, ["consumer.ts"], ["--types", "node"]);
  print("the consumer compiles");

  await using model = await openScriptedModel(
    inOrder(
      [PROOF, DENIED].flatMap((name) => [
        [callTool("Bash", { command: `echo ran >> ${name}`, description: "Leave a proof" })],
        [say("Done.")],
      ]),
    ),
  );
  const work = join(folder, "work");
  mkdirSync(work);
  const env = { ...process.env, ...model.env(join(folder, "claude")), HOLDPOINT_TOKEN: TOKEN };
  await using gateway = await startInstalled({ folder, env });
  print(await runConsumer(folder, gateway.url, { agent: "demo", content: "Ask me two questions" }));
  print(await runConsumer(folder, gateway.url, { agent: "claude", content: "Leave a proof." }));
  const proof = readFileSync(join(work, PROOF), "utf8");
  if (proof !== "ran\n") throw new Error(`What was allowed has not run once, but left: ${proof}`);
  print("Claude's command ran once after the yes");
  await runConsumer(folder, gateway.url, { agent: "claude", content: "More.", answer: "deny" });
  if (existsSync(join(work, DENIED))) throw new Error("What was denied has run.");
  // The agent has the answer a moment before its model.
  const told = () => model.requests.flatMap(({ results }) => results).map(({ text }) => text);
  await until(async () => told().length === 2, "the agent's model to be told of the no");
  if (!told()[1]?.includes("Not on a Monday.")) throw new Error(`The agent was told: ${told()[1]}`);
  if (model.failures.length > 0) throw new Error(String(model.failures[0]));
  print("after a no it did not run, and the agent has the reason");
}

/** The gateway of the installed package, on loopback. Disposing ends it. */
async function startInstalled({ folder, env }: Place) {
  const bin = join(folder, "node_modules/holdpoint/bin/holdpoint.js");
  const flags = ["--json", "--port", "0", "--data-dir", `${folder}.data`];
  const child = spawn(process.execPath, [bin, ...flags], {
    cwd: join(folder, "work"),
    env: { ...env, XDG_CONFIG_HOME: join(folder, "no-config") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const limit = setTimeout(() => child.kill("SIGKILL"), START_MS + 2 * RUN_MS);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exited.then(() => Promise.reject(new Error("The installed gateway did not start."))),
  ])) as [string];
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async [Symbol.asyncDispose]() {
      clearTimeout(limit);
      child.kill("SIGTERM");
      await exited;
    },
  };
}

interface Turn {
  readonly agent: string;
  readonly content: string;
  readonly answer?: "approve" | "deny";
}

/** The program's report of its React version and the card it drew. */
async function runConsumer(
  folder: string,
  url: string,
  { agent, content, answer = "approve" }: Turn,
): Promise<string> {
  const args = ["consumer.ts", url, TOKEN, agent, content, answer];
  const options = { cwd: folder, timeout: RUN_MS, killSignal: "SIGKILL" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  const { react, kind, html } = JSON.parse(stdout) as Record<"react" | "kind" | "html", string>;
  if (!html.includes("hp-interaction")) {
    throw new Error(`React ${react} drew no card: ${html.slice(0, 500)}`);
  }
  return `${agent}: React ${react} draws a card of kind ${kind} on a server (${html.length} characters), and its answer arrives`;
}
