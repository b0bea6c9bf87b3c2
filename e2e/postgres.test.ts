import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { openCuttingProxy } from "../packages/store-postgres/src/testing/cutting-proxy.ts";
import { PASSWORD } from "../packages/store-postgres/src/testing/postgres-server.ts";
import { createDatabase } from "../packages/store-postgres/src/testing/test-database.ts";
import { Api, pending, until } from "./support/api.ts";
import { spawnGateway, startGateway } from "./support/gateway-process.ts";

test("[R-2] [R-4] a gateway on Postgres is killed: the same card, and its answer arrives once", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-postgres-"));
  const store = await createDatabase({ empty: true });
  const env = { HOLDPOINT_STORE: store };
  let written = "";
  let before: unknown;
  let interactionId: string;
  let sessionId: string;
  {
    await using gateway = await startGateway({ dataDir, env });
    const api = new Api(gateway.url);
    ({ sessionId } = await api.createSession({ agent: "demo" }));
    await api.send(sessionId, "Ask me two questions");
    ({ interactionId } = await pending(api, sessionId));
    const { prompt, questions } = await api.interaction(interactionId);
    before = { prompt, questions };
    gateway.process.kill("SIGKILL");
    await gateway.stop("SIGKILL");
    written += gateway.stderr();
  }
  await using gateway = await startGateway({ dataDir, args: ["--store", store] });
  for (const name of ["environ", "cmdline"]) {
    expect(await readFile(`/proc/${gateway.pid}/${name}`, "utf8")).not.toContain(PASSWORD);
  }
  const clients = ["one", "other"].map((clientId) => new Api(gateway.url, { clientId }));
  const api = new Api(gateway.url);
  const { prompt, questions } = await api.interaction(interactionId);
  expect({ prompt, questions }).toEqual(before);
  const answers = await Promise.all(
    clients.map((client) =>
      client.respond(interactionId, { action: "submit", reply: "Exactly this" }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  const events = await api.events(sessionId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const delivered = events.filter(({ type }) => type === "interaction_delivered");
  expect(delivered).toHaveLength(1);
  expect(await gateway.stop("SIGTERM")).toBe(0);
  written += gateway.stderr();
  expect(written).not.toContain(PASSWORD);
  await rm(dataDir, { recursive: true });
});

/** A pending interaction of a gateway whose connection to the database can be cut. */
async function openAsked() {
  await using opening = new AsyncDisposableStack();
  const proxy = opening.use(await openCuttingProxy(await createDatabase()));
  const gateway = opening.use(await startGateway({ env: { HOLDPOINT_STORE: proxy.url } }));
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  const open = opening.move();
  return {
    proxy,
    gateway,
    api,
    sessionId,
    interactionId,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

test("[R-2] a gateway survives an outage of its database: pending requests stay pending", async () => {
  await using scene = await openAsked();
  const { proxy, gateway, api, interactionId } = scene;
  proxy.close();
  // Until the end of the connection is detected, a response would be in transit.
  await until(
    async () => gateway.stderr().includes("The database is unavailable"),
    "the line that says so",
  );
  const refused = await api.respond(interactionId, { action: "submit", reply: "Too early" });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORE_UNAVAILABLE" } });
  proxy.open();
  await until(
    async () => gateway.stderr().includes("The database is back"),
    "the line that says so",
  );
  expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
  const answer = await api.respond(interactionId, { action: "submit", reply: "Now" });
  expect(answer.status).toBe(200);
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  expect(gateway.stderr()).not.toContain(PASSWORD);
});

test("[R-1] [R-2] an answer that is being written when the database fails is reported as unknown, and counts once", async () => {
  await using scene = await openAsked();
  const { proxy, api, sessionId, interactionId } = scene;
  const answer = {
    action: "submit",
    reply: "On its way",
    idempotencyKey: "key-of-this-answer",
  } as const;
  const cut = proxy.cutAnswerTo("On its way");
  const sent = api.respond(interactionId, answer);
  await cut;
  proxy.close();
  expect(await sent).toMatchObject({ status: 503, body: { code: "OUTCOME_UNKNOWN" } });
  proxy.open();
  const again = await until(async () => {
    const { status, body } = await api.respond(interactionId, answer);
    return status === 200 && body;
  }, "the database");
  expect(again.interaction).toMatchObject({ response: { reply: "On its way" } });
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  const events = await api.events(sessionId);
  expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
});

test("the commands of guides/postgres.md move a gateway's data there and back, and check it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-postgres-"));
  const data = join(dataDir, "data");
  const store = await createDatabase({ empty: true });
  const guide = await readFile("guides/postgres.md", "utf8");
  const [, there = "", back = ""] =
    /^holdpoint (move --to \S+).*\nholdpoint (move --from \S+ --to sqlite)$/mu.exec(guide) ?? [];
  const run = (line: string) =>
    outputOf([...line.replace(/postgres:\/\/\S+/u, store).split(" "), "--data-dir", data], dataDir);
  let sessionId: string;
  {
    await using gateway = await startGateway({ dataDir: data });
    ({ sessionId } = await new Api(gateway.url).createSession({ agent: "demo", title: "Moved" }));
    await gateway.stop("SIGTERM");
  }
  expect(await run(there)).toContain("Moved, and compared by counts and hashes:");
  expect((await endOf([], data))[1]).toMatch(
    /keeps its sessions in a Postgres database|was moved to/u,
  );
  {
    await using gateway = await startGateway({ dataDir: data, env: { HOLDPOINT_STORE: store } });
    expect(await new Api(gateway.url).session(sessionId)).toMatchObject({ title: "Moved" });
    expect(await run(`check --store ${store}`)).toMatch(
      /a gateway uses it[^]*Nothing is missing\./u,
    );
    expect(await run(`doctor --store ${store}`)).toMatch(
      /Postgres 1\d\.\S+ at .*synchronous_commit on/u,
    );
    await gateway.stop("SIGTERM");
  }
  expect(await run(back)).toContain("Start without --store from now on.");
  await using gateway = await startGateway({ dataDir: data });
  expect(await new Api(gateway.url).session(sessionId)).toMatchObject({ title: "Moved" });
  expect((await endOf(["--store", store], join(dataDir, "other")))[1]).toContain("was moved to");
  await rm(dataDir, { recursive: true });
});

/** The output of a command, including its errors. */
async function outputOf(args: readonly string[], cwd: string): Promise<string> {
  const child = spawnGateway(args, { cwd });
  if (!child.stdout || !child.stderr) throw new Error("The command says nothing.");
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join("");
  expect(output).not.toContain(PASSWORD);
  return output;
}

/** Starts a gateway that must exit, and returns its exit code and output. */
async function endOf(
  args: readonly string[],
  dataDir: string,
): Promise<readonly [number | null, string]> {
  const work = await mkdtemp(join(tmpdir(), "holdpoint-postgres-work-"));
  const child = spawnGateway(["--json", "--port", "0", "--data-dir", dataDir, ...args], {
    cwd: work,
  });
  const exited = once(child, "exit");
  const said = child.stderr ? await text(child.stderr) : "";
  await exited;
  await rm(work, { recursive: true });
  return [child.exitCode, said];
}

test("a problem with the database is reported in one line, and the gateway does not start", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-postgres-"));
  const data = join(dataDir, "data");
  const store = await createDatabase();
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(store);
    change(url);
    return url.href;
  };
  const cases: [string, RegExp][] = [
    [changed((url) => (url.password = "Rosebud-42")), /user or password is wrong/u],
    [changed((url) => (url.pathname = "/nowhere")), /there is no such database/u],
    [changed((url) => (url.port = "1")), /nothing listens there/u],
    [
      "mysql://root@localhost/x",
      /Invalid --store\. Use sqlite, or the address of a Postgres database/u,
    ],
  ];
  for (const [address, line] of cases) {
    const [code, said] = await endOf(["--store", address], data);
    expect(said).toMatch(line);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(said).not.toContain("Rosebud");
    expect(code).toBe(2);
  }
  await using gateway = await startGateway({ env: { HOLDPOINT_STORE: store }, dataDir: data });
  const [, locked] = await endOf(["--store", store], join(dataDir, "other"));
  expect(locked).toMatch(
    /^holdpoint: Another gateway \(process \d+ from 127\.0\.0\.1\) uses the database postgres:\/\/holdpoint@127/u,
  );
  await gateway.stop("SIGKILL");
  const [code, forgotten] = await endOf([], data);
  expect(forgotten).toContain("keeps its sessions in a Postgres database. Name it with --store");
  expect(code).toBe(2);
  await rm(dataDir, { recursive: true });
});
