// npm run bench:cluster -- [KILLS]: two nodes on a Postgres of their own. What it costs to ask a node that stands by, against
// asking the one that works in the same minute; then nodes are killed while answers are on their way. Exits with 1 when a
// budget is missed, or when anything is lost, written twice or out of order.
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Api, pending, until } from "../e2e/support/api.ts";
import { type GatewayProcess, startGateway } from "../e2e/support/gateway-process.ts";
import { startServer } from "../packages/store-postgres/src/testing/postgres-server.ts";
import { buildProgram } from "../scripts/test/build-program.ts";

const TRIPS = 60;
const WARM_UP = 20;
const SESSIONS_A_KILL = 4;
const MAX_RATIO = 2;
const MAX_TAKEOVER_MS = 15_000;

const kills = Number(process.argv[2] ?? 5);
const problems: string[] = [];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

buildProgram(print);
const folder = await mkdtemp(join(tmpdir(), "holdpoint-cluster-"));
// Its server runs as another user where this is root.
await chmod(folder, 0o755);
const serverFolder = join(folder, "postgres");
await mkdir(serverFolder);
const store = await startServer(serverFolder, String(process.pid));
const secretFile = join(folder, "cluster.secret");
await writeFile(secretFile, "secret-of-the-nodes-of-this-bench", { mode: 0o600 });

function startNode(name: string): Promise<GatewayProcess> {
  const env = { HOLDPOINT_STORE: store, HOLDPOINT_CLUSTER_SECRET_FILE: secretFile };
  return startGateway({ dataDir: join(folder, name), env });
}

async function isWorking({ url }: GatewayProcess): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  return answer?.ok === true && (await answer.text()).includes('"working"');
}

/** A session that waits for an answer. */
async function ask(api: Api): Promise<{ sessionId: string; interactionId: string }> {
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  return { sessionId, interactionId: (await pending(api, sessionId)).interactionId };
}

async function measureTrips(working: Api, standby: Api): Promise<void> {
  const taken: [here: number[], there: number[]] = [[], []];
  for (let trip = 0; trip < TRIPS + WARM_UP; trip += 1) {
    const asked = await ask(working);
    const startedAt = performance.now();
    const { status } = await [working, standby][trip % 2]!.respond(asked.interactionId, {
      action: "submit",
      reply: "Yes",
    });
    if (status !== 200) problems.push(`an answer got ${status}`);
    if (trip >= WARM_UP) taken[trip % 2]!.push(performance.now() - startedAt);
  }
  const [here, there] = taken.map(medianOf) as [number, number];
  const ratio = there / here;
  if (ratio > MAX_RATIO) problems.push(`a standby node takes ${ratio.toFixed(2)} times as long`);
  print(
    `an answer, p50: ${here.toFixed(1)} ms at the working node, ${there.toFixed(1)} ms at the other: ${ratio.toFixed(2)} × (budget ${MAX_RATIO})`,
  );
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

/** Sends an answer until it is taken, with the same key each time, as a page does. */
async function answerSurely(apis: readonly Api[], interactionId: string): Promise<void> {
  const body = {
    action: "submit",
    reply: "Once",
    idempotencyKey: `key of ${interactionId}`,
  } as const;
  for (let tries = 0; ; tries += 1) {
    const answer = await apis[tries % apis.length]!.respond(interactionId, body).catch(
      () => undefined,
    );
    if (answer?.status === 200) return;
    if (answer && answer.status !== 503) problems.push(`an answer got ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function check(
  api: Api,
  { sessionId, interactionId }: Awaited<ReturnType<typeof ask>>,
): Promise<void> {
  const isDelivered = async (): Promise<boolean> =>
    (await api.interaction(interactionId).catch(() => undefined))?.status === "delivered";
  await until(isDelivered, "a delivery");
  const events = await api.events(sessionId);
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  const found = `${count("interaction_response")} answers, ${count("interaction_delivered")} deliveries`;
  if (found !== "1 answers, 1 deliveries") problems.push(`${sessionId} has ${found}`);
  if (events.some(({ seq }, index) => seq !== index + 1)) problems.push(`${sessionId} has a gap`);
}

async function killNodes(nodes: GatewayProcess[]): Promise<void> {
  const takeovers: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const [working, other] = (await isWorking(nodes[0]!)) ? nodes : nodes.toReversed();
    const apis = [working!, other!].map(({ url }) => new Api(url));
    const asked = await Promise.all(Array.from({ length: SESSIONS_A_KILL }, () => ask(apis[1]!)));
    const answering = Promise.all(asked.map((one) => answerSurely(apis, one.interactionId)));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    const startedAt = performance.now();
    await working!.stop("SIGKILL");
    await until(() => isWorking(other!), "another node that works");
    takeovers.push(performance.now() - startedAt);
    await answering;
    await Promise.all(asked.map((one) => check(apis[1]!, one)));
    nodes[nodes.indexOf(working!)] = await startNode(`node-${kill + 1}`);
  }
  const longest = Math.max(...takeovers);
  if (longest > MAX_TAKEOVER_MS) problems.push(`a takeover took ${longest.toFixed(0)} ms`);
  const answers = kills * SESSIONS_A_KILL;
  print(
    `${kills} nodes killed with ${answers} answers on their way; another works after at most ${(longest / 1000).toFixed(1)} s (budget ${MAX_TAKEOVER_MS / 1000})`,
  );
}

const nodes = [await startNode("node-0"), await startNode("node-1")];
try {
  const [working, standby] = nodes.map(({ url }) => new Api(url)) as [Api, Api];
  await measureTrips(working, standby);
  await killNodes(nodes);
} finally {
  for (const node of nodes) await node[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}
for (const problem of problems) print(`! ${problem}`);
print(problems.length === 0 ? "Nothing lost, nothing twice, no gap." : "");
process.exit(problems.length === 0 ? 0 : 1);
