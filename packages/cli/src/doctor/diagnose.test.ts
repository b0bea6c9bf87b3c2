import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { HOST_VERSION } from "@holdpoint/agents";
import { creation, interactionRow, interactionWrite } from "@holdpoint/engine/testing";
import { openSqliteStore } from "@holdpoint/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openGatewaySecret } from "../compose/gateway-secret.ts";
import { resolveSettings } from "../config/settings.ts";
import { readSnapshot } from "../trust/snapshot.ts";
import { TrustFile } from "../trust/trust-file.ts";
import { diagnose } from "./diagnose.ts";
import type { Finding } from "./finding.ts";
import { toJson, toText } from "./print-diagnosis.ts";

const HOSTILE = "x\n! Database      forged\r\u0085\u2028\u001B[31m\u009B2J\u202E\u0007";
const START_MS = Date.parse("2025-01-01T00:00:00.000Z");

let folder: string;
let dataDir: string;
let work: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-diagnose-"));
  dataDir = join(folder, "data");
  work = join(folder, "work");
  mkdirSync(work);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function examine(flags: { "data-dir"?: string; config?: string; agent?: string } = {}) {
  const env = { HOME: folder, PATH: process.env["PATH"], ANTHROPIC_API_KEY: "planted-key" };
  const sources = { flags: { cwd: work, ...flags }, env, file: {}, startDirectory: work };
  const settings = resolveSettings({ ...sources, defaultDataDir: dataDir });
  const place = { startDirectory: work, configDir: join(folder, "config") };
  const given = { configProblem: undefined, packageFiles: [], named: flags.config };
  return diagnose({ settings, env, nowMs: Date.now(), ...place, ...given });
}

/** The data folder of a gateway that was stopped, with a session and a parked interaction. */
async function makeDataDir(title = "Rename the files"): Promise<void> {
  await using store = await openSqliteStore({ dataDir });
  await openGatewaySecret(dataDir);
  await store.append(creation("ses_1", { title }));
  for (const [id, hold] of [
    ["int_1", "parked"],
    ["int_2", "held"],
  ] as const) {
    await store.append(interactionWrite(interactionRow("ses_1", id, { hold }), undefined));
  }
}

/** Everything in the folder except the index of a log, which SQLite recreates for each reader. */
function contents(): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => !name.endsWith("-shm"))
    .map((name) => {
      const { mode, size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
      return [name, mode, size, mtimeMs];
    });
}

function problems(checks: readonly Finding[]): string[] {
  return checks
    .filter(({ status }) => status === "problem")
    .map(({ check, text, remedy }) => `${check}: ${text} ${remedy}`);
}

function start(args: readonly string[]): number {
  const child = spawn(args[0] ?? "", args.slice(1), { stdio: "ignore" });
  children.push(child);
  return child.pid ?? 0;
}

/** An unused process id. */
async function deadPid(): Promise<number> {
  const child = spawn("true", { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

function plantRecord(pids: { host: number; agent: number }, change: object = {}): void {
  mkdirSync(join(dataDir, "hosts"), { mode: 0o700, recursive: true });
  const record = {
    version: HOST_VERSION,
    id: "h1",
    sessionId: "ses_1",
    turnId: "trn_1",
    socketPath: join(dataDir, "hosts/h1.sock"),
    host: { pid: pids.host },
    agent: { pid: pids.agent },
    mark: "m",
    ...change,
  };
  writeFileSync(join(dataDir, "hosts/h1.json"), JSON.stringify(record), { mode: 0o600 });
}

/** A socket whose program was killed. */
async function plantSocket(path: string): Promise<void> {
  mkdirSync(join(path, ".."), { mode: 0o700, recursive: true });
  const program = `require("net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  chmodSync(path, 0o600);
}

function changeDatabase(sql: string): void {
  using database = new DatabaseSync(join(dataDir, "holdpoint.db"));
  database.exec(sql);
}

const FAULTS: readonly (readonly [name: string, plant: () => unknown, found: RegExp])[] = [
  [
    "a socket of a gateway that was killed",
    () => plantSocket(join(dataDir, "control.sock")),
    /^Gateway: .*control\.sock was left by a gateway that was killed\. The next start removes it\.$/u,
  ],
  [
    "a socket of an agent host that is dead",
    () => plantSocket(join(dataDir, "hosts/h9.sock")),
    /^Agent hosts: .*h9\.sock is a socket that no agent host serves\. The next start/u,
  ],
  [
    "the record of a dead host whose agent is dead",
    async () => plantRecord({ host: await deadPid(), agent: await deadPid() }),
    /^Agent hosts: .*h1\.json is left over: .* are dead\. The next start/u,
  ],
  [
    "an agent whose host is dead",
    async () => plantRecord({ host: await deadPid(), agent: start(["sleep", "60"]) }),
    /^Agent hosts: .*session "ses_1": the host is dead, but its agent still runs\. .*kill -9 \d+$/u,
  ],
  [
    "a host of another version",
    () => {
      const pid = start(["sleep", "60"]);
      plantRecord({ host: pid, agent: pid }, { version: 99 });
    },
    /^Agent hosts: .*the host is of another version\. .*its requests stay open\.$/u,
  ],
  [
    "a record that is none",
    () => {
      mkdirSync(join(dataDir, "hosts"), { mode: 0o700 });
      writeFileSync(join(dataDir, "hosts/h1.json"), "{", { mode: 0o600 });
    },
    /^Agent hosts: .*h1\.json is not a record/u,
  ],
  [
    "a database that was cut short",
    () => truncateSync(join(dataDir, "holdpoint.db"), 8192),
    /^Database: .*(?:damaged|cannot be read).*Restore a copy/u,
  ],
  [
    "a database that is gone",
    () => rmSync(join(dataDir, "holdpoint.db")),
    /^Database: .*is missing.*Restore a copy/u,
  ],
  [
    "a database that is something else",
    () => writeFileSync(join(dataDir, "holdpoint.db"), "no database".repeat(1000)),
    /^Database: .*cannot be read \(file is not a database\)\. Restore a copy/u,
  ],
  [
    "a folder in the place of the database",
    () => {
      rmSync(join(dataDir, "holdpoint.db"));
      mkdirSync(join(dataDir, "holdpoint.db"), { mode: 0o700 });
    },
    /^Database: .*holdpoint\.db is not a file\./u,
  ],
  [
    "a database of a newer release",
    () => changeDatabase("PRAGMA user_version = 9999"),
    /^Database: .*written by a newer release \(schema 9999, /u,
  ],
  [
    "a file that others can read",
    () => chmodSync(join(dataDir, "gateway.secret"), 0o644),
    /^Data folder: .*gateway\.secret is open to other users\. Run chmod go=/u,
  ],
  [
    "a clock that is behind",
    () => changeDatabase(`UPDATE sessions SET updated_at_ms = ${Date.now() + 90 * 60_000}`),
    /^Clock: .* newest change in the database is \d+ minutes later\. Set the clock/u,
  ],
];

describe("the doctor", () => {
  test("finds each planted fault, in one line with the way out, and changes nothing", async ({
    annotate,
  }) => {
    let tried = 0;
    for (const [name, plant, found] of FAULTS) {
      rmSync(dataDir, { recursive: true, force: true });
      await makeDataDir();
      expect({ name, problems: problems((await examine()).checks) }).toEqual({
        name,
        problems: [],
      });
      await plant();
      const before = contents();
      const diagnosis = await examine();
      const line = expect.stringMatching(found) as string;
      expect({ name, problems: problems(diagnosis.checks) }).toEqual({ name, problems: [line] });
      expect(diagnosis.healthy).toBe(false);
      expect(toText(diagnosis)).toMatch(/^! .*$/mu);
      expect({ name, contents: contents() }).toEqual({ name, contents: before });
      tried += 1;
    }
    expect(tried).toBe(13);
    await annotate(`${tried} planted faults`, "cases");
  });

  test.each<[string, () => string, RegExp]>([
    [
      "the folder of another program",
      () => {
        writeFileSync(join(work, "notes.txt"), "");
        return work;
      },
      /is not a data folder: it holds other files\. Name an empty one/u,
    ],
    [
      "a file",
      () => {
        writeFileSync(join(work, "file"), "");
        return join(work, "file");
      },
      /is not a folder\. Choose another one/u,
    ],
    [
      "one that cannot be made",
      () => "/proc/holdpoint/data",
      /cannot be created|\/proc cannot hold files/u,
    ],
  ])("refuses %s as a data folder, and leaves it alone", async (_name, make, found) => {
    const path = make();
    const before = contents();
    const { checks } = await examine({ "data-dir": path });
    expect(problems(checks).join("\n")).toMatch(found);
    expect(contents()).toEqual(before);
  });

  test("describes a sound folder: database, parked session, agents", async () => {
    await makeDataDir();
    const pid = start(["sleep", "60"]);
    process.kill(pid, "SIGSTOP");
    plantRecord({ host: start(["sleep", "60"]), agent: pid });
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(" T ");
    const diagnosis = await examine();
    expect(problems(diagnosis.checks)).toEqual([]);
    const text = toText(diagnosis);
    const days = Math.floor((Date.now() - START_MS) / (24 * 60 * 60_000));
    const lines = [
      /^ {2}Data folder {3}.*\/data$/mu,
      /^ {2}Disk {10}[\d,.]+ MB left$/mu,
      /^ {2}Database {6}SQLite 3\.\S+, journal wal, synchronous full, .*1 session, nothing damaged or missing$/mu,
      /^ {2}Gateway {7}none runs with this data folder$/mu,
      /^- Agent hosts .*session "ses_1": held and frozen until a gateway attaches\. Start the gateway/mu,
      /^ {2}Waiting {7}2 pending interactions, 1 of them parked$/mu,
      new RegExp(
        String.raw`^ {2}Waiting {7}parked: "Rename the files" waits for an answer to "ask_user", asked ${days} days ago$`,
        "mu",
      ),
      /^ {2}Claude {8}can be started with the SDK \d/mu,
      /^ {2}Environment {3}agents get ANTHROPIC_API_KEY, /mu,
      /^No problem was found\.$/mu,
    ];
    for (const line of lines) expect(text).toMatch(line);
    expect(`${text}${toJson(diagnosis)}`).not.toContain("planted-key");
  });

  test("tries the trusted tools, reports the fault of each, and lets them change nothing", async () => {
    await makeDataDir();
    const tool = (name: string) =>
      `export default { name: "${name}", description: "Does it.", handler: () => "Done" };`;
    mkdirSync(join(work, "tools"));
    writeFileSync(join(work, "holdpoint.config.ts"), "export default {};");
    writeFileSync(join(work, "tools/good.ts"), tool("good"));
    writeFileSync(join(work, "tools/throws.ts"), "throw new Error('no such disk');");
    const written = join(folder, "written");
    writeFileSync(
      join(work, "tools/writes.ts"),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(written)}, ""); ${tool("writes")}`,
    );
    const unknown = await examine();
    expect(toText(unknown)).toMatch(/^- Tools .*no one has trusted their current content\./mu);
    expect(problems(unknown.checks)).toEqual([]);

    const snapshot = await readSnapshot({ folder: work });
    const key = (await openGatewaySecret(dataDir)).derive("trust");
    await new TrustFile(join(dataDir, "trust.json"), key).trust(snapshot!);
    const before = contents();
    const trusted = await examine();
    const text = toText(trusted);
    expect(text).toMatch(/^ {2}Tools {9}can be loaded: 1 tool: "good"$/mu);
    expect(text).toMatch(/^! Tools {9}tools\/throws\.ts: "no such disk" Fix the file/mu);
    expect(text).toMatch(/^- Tools {9}tools\/writes\.ts writes a file or starts a program/mu);
    expect(contents()).toEqual(before);

    writeFileSync(join(work, "tools/good.ts"), "for (;;) { await new Promise(() => {}); }");
    expect(toText(await examine())).toMatch(/^- Tools .*no one has trusted/mu);
  });

  test("no title, path or name of a tool forges a line or reaches the terminal as a command", async () => {
    dataDir = join(folder, "data\n! Database      forged");
    await makeDataDir(HOSTILE);
    plantRecord({ host: await deadPid(), agent: await deadPid() }, { sessionId: HOSTILE });
    mkdirSync(join(work, "tools"));
    const named = join(work, "holdpoint.config.ts");
    writeFileSync(named, "export default {};");
    writeFileSync(
      join(work, "tools", "a\u0085! b\u001B[31m.ts"),
      `throw new Error(${JSON.stringify(HOSTILE)});`,
    );
    const diagnosis = await examine({ config: named });
    const text = toText(diagnosis);
    expect(text.replaceAll(/[\n\x20-\x7E]/g, "")).toBe("");
    expect(text.trimEnd().split("\n")).toHaveLength(diagnosis.checks.length + 2);
    expect(text).not.toMatch(/^! (?:Database|b)/mu);
    expect(problems(diagnosis.checks)).toHaveLength(2);
    const json = toJson(diagnosis);
    expect(json).toMatch(/^[\x20-\x7E]+\n$/);
    expect(JSON.parse(json)).toEqual(diagnosis);
    expect(json).toContain(String.raw`\u202e`);
  });

  test("an agent that cannot be started is a problem if the settings name it, and otherwise a note", async () => {
    const env = { HOME: folder, PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: folder };
    const examineAgent = async (agent?: string) => {
      const flags = { cwd: work, ...(agent !== undefined && { agent }) };
      const sources = { flags, env, file: {}, startDirectory: work, defaultDataDir: dataDir };
      const place = { startDirectory: work, configDir: folder, configProblem: "It is broken." };
      const settings = resolveSettings(sources);
      return diagnose({
        settings,
        env,
        nowMs: Date.now(),
        ...place,
        packageFiles: [],
        named: undefined,
      });
    };
    const broken = expect.stringMatching(/^Settings: It is broken\./u) as string;
    expect(problems((await examineAgent()).checks)).toEqual([broken]);
    const claude = expect.stringMatching(/^Claude: .*no key and no login/u) as string;
    expect(problems((await examineAgent("claude")).checks)).toEqual([broken, claude]);
  });
});
