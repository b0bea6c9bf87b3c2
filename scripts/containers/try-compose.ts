import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setDefaultCACertificates } from "node:tls";

import { until } from "../../e2e/support/api.ts";
import { guideBlock } from "../guide-block.ts";
import type { Engine } from "./engine.ts";
import { lookAround } from "./neighbour.ts";
import { ask, signInWith } from "./person.ts";
import { must, type Place, runCommands, untilHealthy, untilReady } from "./place.ts";

const HOST = "agents.example.org";
const URL = `https://${HOST}`;
const NODES = ["holdpoint-node-1-1", "holdpoint-node-2-1"] as const;
const ALL = [...NODES, "holdpoint-proxy-1", "holdpoint-postgres-1"];
const ROOT_CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt";
/** As the guide states for a node that dies. */
const TAKEOVER_MS = 15_000;
/** A person's addition: the ports of the proxy. */
const PORTS = `services: { proxy: { ports: ["443:443"] } }\n`;
/** No one issues a certificate for the example's name, so Caddy makes one itself. */
const OWN_CERTIFICATES = "{\n\tlocal_certs\n\tskip_install_trust\n}\n";

type Node = (typeof NODES)[number];

/**
 * Starts the compose file as the guide describes: requests over one node are answered over the other, whichever dies.
 */
export async function tryCompose({ engine, folder, print }: Place): Promise<void> {
  const project = join(folder, "compose");
  cpSync("deploy", project, { recursive: true });
  const caddyfile = join(project, "Caddyfile");
  writeFileSync(caddyfile, OWN_CERTIFICATES + readFileSync(caddyfile, "utf8"));
  writeFileSync(join(project, "compose.override.yaml"), PORTS);
  nameHere(join(folder, "hosts"));
  const commands = guideBlock("guides/operations.md", "docker compose up");
  await using open = new AsyncDisposableStack();
  open.defer(
    async () => void (await runCommands(engine, "docker compose down --volumes", project)),
  );
  await runCommands(engine, commands, project);
  setDefaultCACertificates([await certificateOf(engine)]);
  await untilReady(URL);
  const printed = async (): Promise<string> =>
    (await Promise.all(NODES.map((node) => engine.logs(node)))).join("");
  await using person = await signInWith(printed);
  for (const node of NODES) {
    const restarts = await engine.run("inspect", "--format={{.RestartCount}}", node);
    must(restarts === "0", `${node} was started ${restarts} times more: ${await printed()}`);
  }
  print("two nodes start on an empty database, and the launch link signs in");

  const first = await ask(person, URL);
  await untilBothAnswer();
  await first.allow(person);
  print("each node answers, and what is asked over any is answered over any");
  await lookAround(engine, print);
  await untilReady(URL);
  await keepSecrets(engine, project);
  print("no secret stands in what Docker tells, in a log, or in the environment of a process");

  const pending = await ask(person, URL);
  const dead = await workingNode(engine);
  await engine.run("kill", dead);
  const killedAtMs = performance.now();
  await untilReady(URL);
  await until(async () => (await workingNode(engine).catch(() => dead)) !== dead, "another node");
  const tookMs = performance.now() - killedAtMs;
  must(tookMs < TAKEOVER_MS, `The other node took ${tookMs} ms to take over.`);
  await pending.allow(person);
  print(
    `a node that works is killed: the other does after ${tookMs.toFixed(0)} ms, and has what was pending`,
  );

  const next = await ask(person, URL);
  await engine.run("start", dead);
  for (const node of NODES) await untilHealthy(engine, node);
  const stopped = await workingNode(engine);
  await engine.run("stop", stopped);
  const code = await engine.run("inspect", "--format={{.State.ExitCode}}", stopped);
  must(code === "0", `The node that was stopped ended with ${code}.`);
  await until(async () => (await workingNode(engine).catch(() => stopped)) === dead, "the other");
  await next.allow(person);
  print("both are healthy; one that is stopped ends with 0, and the other works at once");

  const last = await ask(person, URL);
  await runCommands(engine, "docker compose down && docker compose up --detach", project);
  await untilReady(URL);
  await last.allow(person);
  print("other containers on the same volumes have what was pending");
}

/** Resolves the example's name to this machine, in this namespace only. */
function nameHere(file: string): void {
  writeFileSync(file, `127.0.0.1 localhost ${HOST}\n`);
  spawnSync("mount", ["--bind", file, "/etc/hosts"]);
}

function certificateOf(engine: Engine): Promise<string> {
  return until(async () => {
    const { code, stdout } = await engine.try("exec", "holdpoint-proxy-1", "cat", ROOT_CERTIFICATE);
    return code === 0 && stdout;
  }, "the certificate of the proxy");
}

/** Each request goes to the next node. */
function untilBothAnswer(): Promise<unknown> {
  const seen = new Set<string>();
  return until(async () => {
    const answer = await fetch(`${URL}/readyz`);
    if (answer.ok) seen.add(((await answer.json()) as { role: string }).role);
    return seen.has("working") && seen.has("standby");
  }, "answers of both nodes");
}

async function workingNode(engine: Engine): Promise<Node> {
  for (const node of NODES) {
    const look = "fetch('http://127.0.0.1:4870/healthz').then((r) => r.text()).then(console.log)";
    const { stdout } = await engine.try("exec", node, "node", "-e", look);
    if (stdout.includes(`"working"`)) return node;
  }
  throw new Error("No node works.");
}

async function keepSecrets(engine: Engine, project: string): Promise<void> {
  const secrets = ["cluster.secret", "postgres.password"].map((name) =>
    readFileSync(join(project, name), "utf8").trim(),
  );
  const places = await Promise.all([
    ...ALL.map((name) => engine.run("inspect", name)),
    ...ALL.map((name) => engine.logs(name)),
    ...NODES.map((name) => engine.run("inspect", name.replace(/-1$/u, ""))),
    ...NODES.map((name) => engine.run("history", "--no-trunc", name.replace(/-1$/u, ""))),
    ...NODES.map((name) => engine.run("exec", name, "sh", "-c", "cat /proc/[0-9]*/environ")),
  ]);
  must(!secrets.some((secret) => places.join("").includes(secret)), "A secret can be seen.");
}
