import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createWebSocketTransport } from "@holdpoint/client";
import type { RespondBody } from "@holdpoint/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, startGateway, TOKEN } from "./support/gateway-process.ts";
import {
  copyFiles,
  findSecrets,
  plantSecrets,
  type PlantedValues,
  readAllFiles,
  secretsOf,
} from "./support/plant-secrets.ts";

const VAULT = fileURLToPath(new URL("support/vault.config.mjs", import.meta.url));

let folder: string;
let gateway: GatewayProcess;
const gateways: GatewayProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-sensitive-"));
  for (const name of ["temporary", "backups", "config"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "config/vault.mjs"), readFileSync(VAULT));
});
afterEach(async () => {
  for (const each of gateways.splice(0)) await each[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<Api> {
  gateway = await startGateway({
    dataDir: join(folder, "data"),
    cwd: join(folder, "config"),
    args: ["--config", join(folder, "config/vault.mjs")],
    env: {
      HOLDPOINT_LOG: "trace",
      TMPDIR: join(folder, "temporary"),
      XDG_CACHE_HOME: join(folder, "cache"),
    },
  });
  gateways.push(gateway);
  return new Api(gateway.url);
}

interface AgentAccess {
  readonly url: string;
  readonly token: string;
  readonly sessionId: string;
}

async function newAgent(api: Api): Promise<AgentAccess> {
  const { body } = await api.call<AgentAccess>("POST", "/auth/agent-tokens", { label: "Asker" });
  return body;
}

/** Makes the agent call the tool; the outcome is text in every case. */
async function callVault(
  { url, token }: AgentAccess,
  args: { way: string; released?: string },
): Promise<string> {
  await using connected = await connectMcp(url, token);
  return await connected.client.callTool({ name: "vault", arguments: args }).then(
    (result) => JSON.stringify(result),
    (error: unknown) => String(error),
  );
}

function release(name: string): void {
  writeFileSync(join(folder, "config", name), "");
}

function submit(values: PlantedValues): RespondBody & { action: "submit" } {
  return { action: "submit", values: { ...values } };
}

/** The id of the interaction that the agent's call created. */
async function asked(api: Api, { sessionId }: AgentAccess, status: string): Promise<string> {
  const found = async () => (await api.interactions(sessionId, status))[0]?.interactionId;
  return until(found, `an interaction that is ${status}`);
}

let copies = 0;
/** Everything that can be copied from a running gateway's data: its files, and a backup as in the guides. */
function backUp(): void {
  copies += 1;
  const to = join(folder, "backups", `${copies}`);
  copyFiles(join(folder, "data"), to);
  using database = new DatabaseSync(join(folder, "data/holdpoint.db"), { readOnly: true });
  database.exec(`VACUUM INTO '${join(to, "vacuumed.db")}'`);
}

/** The kernel's own view of the process: its arguments and its environment. */
function processTexts(pid: number): Buffer {
  if (process.platform !== "linux") return Buffer.alloc(0);
  return Buffer.concat(["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`)));
}

function expectNowhere(secrets: readonly string[], texts: ReadonlyMap<string, Buffer>): void {
  const places = [...texts].flatMap(([name, bytes]) =>
    findSecrets(bytes, secrets).map((secret) => `${secret.slice(0, 20)} in ${name}`),
  );
  expect(places).toEqual([]);
}

/** Everything outside the gateway's memory that could contain a value. */
function everything(seen: readonly string[]): Map<string, Buffer> {
  return new Map([
    ...readAllFiles(folder),
    ...gateways.map((each, index) => [`log ${index}`, Buffer.from(each.stderr())] as const),
    ["what clients and agents got", Buffer.from(seen.join("\n"))],
  ]);
}

/** Collects the data another client of the person reads over an event stream, until the gateway ends. */
async function listen(path: string, seen: string[]): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, accept: "text/event-stream" };
  const response = await fetch(`${gateway.url}/api${path}`, { headers });
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body!) seen.push(decoder.decode(chunk, { stream: true }));
  })().catch(() => undefined);
}

test("[R-19] 24 planted secrets are nowhere in files, backups, logs, errors, streams, arguments or environment", async ({
  annotate,
}) => {
  const api = await start();
  const seen: string[] = [];
  await listen("/events", seen);
  await using socket = createWebSocketTransport({
    baseUrl: gateway.url,
    token: TOKEN,
    clientId: "sensitive-values",
  });
  const planted: PlantedValues[] = [];
  const plant = (mark: string): PlantedValues => {
    const values = plantSecrets(mark);
    planted.push(values);
    return values;
  };
  for (const way of ["return", "throw", "ask again", "late"]) {
    const agent = await newAgent(api);
    await listen(`/sessions/${agent.sessionId}/events?after=0`, seen);
    const called = callVault(agent, { way });
    const isLate = way === "late";
    if (isLate) seen.push(await called);
    let interactionId = await asked(api, agent, isLate ? "expired" : "pending");
    // A refused response is as secret as an accepted one.
    const refused = submit(plant(`refused ${way}`));
    const problem = await api.respond(interactionId, {
      ...refused,
      values: { ...refused.values, unknown: refused.values?.["key"] },
    });
    expect(problem.status).toBe(422);
    seen.push(JSON.stringify(problem));
    const loser = submit(plant(`too late ${way}`));
    const body = submit(plant(way));
    const results =
      way === "throw"
        ? [await socket.respond(interactionId, body)]
        : await Promise.all([api.respond(interactionId, body), api.respond(interactionId, loser)]);
    seen.push(JSON.stringify(results));
    backUp();
    if (way === "ask again") {
      interactionId = await asked(api, agent, "pending");
      seen.push(JSON.stringify(await api.respond(interactionId, submit(plant("again")))));
      backUp();
    }
    const result = await called;
    // The asking agent gets the values; an error that repeats them is logged, and therefore masked.
    const isGiven = way === "return" || way === "ask again";
    expect(findSecrets(Buffer.from(result), secretsOf(planted.at(-1)!))).toHaveLength(
      isGiven ? 4 : 0,
    );
    if (!isGiven) seen.push(result);
    seen.push(JSON.stringify(await api.events(agent.sessionId)));
    backUp();
  }
  const secrets = planted.flatMap(secretsOf);
  expect(secrets.length).toBeGreaterThanOrEqual(24);
  expectNowhere(secrets, new Map([["process", processTexts(gateway.pid)]]));
  const found = everything(seen);
  // Values that are not secret are found, which proves that the search works.
  const text = Buffer.concat([...found.values()]);
  expect(findSecrets(text, ["public-return", "public-throw"])).toHaveLength(2);
  expect(found.get("log 0")?.includes("They said")).toBe(true);
  expectNowhere(secrets, found);
  await gateway.stop("SIGTERM");
  expectNowhere(secrets, everything(seen));
  await annotate(`${secrets.length} secrets × ${found.size} files and texts`, "cases");
});

/** The moments at which a gateway is killed, in milliseconds after the response was sent. */
const KILLS_MS = [0, 2, 6, 15];

test("[R-19] a gateway killed at any step leaves no value and, after delivery, no key", async ({
  annotate,
}) => {
  let api = await start();
  const secrets: string[] = [];
  const keys = (): string[] => [...readAllFiles(join(folder, "data/sealed-keys")).keys()];
  let tried = 0;
  for (const [round, afterMs] of [...KILLS_MS, "held" as const].entries()) {
    const agent = await newAgent(api);
    const released = `released-${round}`;
    if (afterMs !== "held") release(released);
    // Lost with the gateway.
    void callVault(agent, { way: "return", released });
    const values = plantSecrets(`kill ${round}`);
    secrets.push(...secretsOf(values));
    const responding = api
      .respond(await asked(api, agent, "pending"), submit(values))
      .catch((error: unknown) => String(error));
    await setTimeout(afterMs === "held" ? 500 : afterMs);
    // The values, and therefore the key, are needed after a restart while the tool handles the response.
    expect(afterMs === "held" ? keys().length : 1).toBe(1);
    await gateway.stop("SIGKILL");
    await responding;
    backUp();
    expectNowhere(secrets, everything([]));
    api = await start();
    // Values that are no longer needed are deleted with their session.
    await api.call("DELETE", `/sessions/${agent.sessionId}`);
    expect(keys()).toEqual([]);
    expectNowhere(secrets, everything([]));
    tried += 1;
  }
  expect(tried).toBe(KILLS_MS.length + 1);
  await annotate(`${tried} kills, ${secrets.length} secrets`, "cases");
});
