import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { StoredInteraction } from "@holdpoint/engine";
import { expectChained } from "@holdpoint/engine/testing";
import {
  INTERACTION_STATUSES,
  type InteractionStatus,
  isFinal,
  type SessionEvent,
} from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { prepareDataDir } from "./data-dir.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteAudit } from "./open-sqlite-audit.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { STATUS_NUMBER } from "./status-number.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";
import { toKey } from "./text-key.ts";

const schemaOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name",
    )
    .all();

const versionOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA user_version").get()?.["user_version"];

/** The columns of a pending interaction that are not the same in all versions. */
function statusOfVersion(version: number): [columns: string, values: string] {
  if (version < 5) return ["status", "'pending'"];
  if (version < 6) return ["is_of_gateway_tool, hold, is_open, status", "0, 'held', 1, 3"];
  return [
    "is_of_gateway_tool, hold, takes_late_answer, stage, status, request",
    `0, 'held', 1, 3, 3, '{"interaction":{"interactionId":"int_1"}}'`,
  ];
}

/** Data of a release that had only the first migrations. */
function fillFromVersion(database: DatabaseSync, version: number): void {
  const [columns, values] = statusOfVersion(version);
  const deadline = version < 10 ? "deadline_at_ms" : "due_at_ms";
  const [hash, aHash] = version < 20 ? ["", ""] : ["hash, ", "zeroblob(32), "];
  database.exec(`
    INSERT INTO sessions (session_number, session_id, updated_at_ms, json)
      VALUES (1, 'ses_1', 5, '{"sessionId":"ses_1","title":"Kept"}');
    INSERT INTO events (place, ${hash}json) VALUES (4294967297, ${aHash}'{"seq":1}');
    INSERT INTO interactions (
      interaction_id, session_number, tool_call_id, started_at_ms, ${deadline}, json,
      ${columns}
    ) VALUES (
      'int_1', 1, 'call_1', 5, 9, '{"interaction":{"interactionId":"int_1"}}',
      ${values}
    );
    INSERT INTO messages (session_number, message_id, idempotency_key, json)
      VALUES (1, 'msg_1', 'key-12345', '{"messageId":"msg_1"}');
  `);
  if (version >= 2) {
    database.exec(`
      INSERT INTO credentials (token_id, token_hash, created_at_ms, last_used_at_ms, json)
        VALUES ('tok_1', 'abc', 5, NULL, '{"tokenId":"tok_1"}')`);
  }
}

test("migrations are numbered from 1 without gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test.each(MIGRATIONS.map(({ version }) => version))(
  "a database of schema %i keeps its rows and gets the current schema",
  async (version) => {
    const dataDir = createTemporaryDir();
    const { database: path } = prepareDataDir(dataDir);
    using fresh = new DatabaseSync(":memory:");
    migrate(fresh, MIGRATIONS, "fresh");
    {
      using old = new DatabaseSync(path);
      migrate(old, MIGRATIONS.slice(0, version), path);
      expect(versionOf(old)).toBe(version);
      fillFromVersion(old, version);
    }
    {
      await using store = await openSqliteStore({ dataDir });
      expect(await store.getSession("ses_1")).toMatchObject({ title: "Kept", lastSeq: 1 });
      expect(await store.readEvents("ses_1", { limit: 1 })).toEqual([
        { seq: 1, json: '{"seq":1}' },
      ]);
      expect(await store.nextDeadline()).toBe(9);
      expect(await store.getInteraction("int_1")).toMatchObject({
        interaction: { interactionId: "int_1", status: "pending", hold: "held" },
      });
      expect(await store.findMessage("ses_1", "key-12345")).toEqual({ messageId: "msg_1" });
      expect(await store.credentials.list()).toHaveLength(version >= 2 ? 1 : 0);
    }
    using migrated = new DatabaseSync(path);
    expect(schemaOf(migrated)).toEqual(schemaOf(fresh));
    expect(versionOf(migrated)).toBe(MIGRATIONS.length);
  },
);

test("logs from before the chain are chained as they are, and their sessions record that", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  const sessionIds = ["ses_1", "ses_empty", "half\ud800"];
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 19), path);
    const insert = old.prepare("INSERT INTO events (place, json) VALUES (?, ?)");
    for (const [index, sessionId] of sessionIds.entries()) {
      old
        .prepare("INSERT INTO sessions (session_id, updated_at_ms, json) VALUES (?, 5, ?)")
        .run(toKey(sessionId), JSON.stringify({ sessionId }));
      if (sessionId === "ses_empty") continue;
      for (const seq of [1, 2, 3]) {
        insert.run((index + 1) * 2 ** 32 + seq, `{"seq":${seq},"text":"Straße"}`);
      }
    }
  }
  {
    await using store = await openSqliteStore({ dataDir });
    for (const sessionId of sessionIds) {
      await store.append({ sessionId, events: [{ at: "now", type: "turn_started" }] });
    }
    const lengths = sessionIds.map((id) => expectChained(store, id));
    expect(await Promise.all(lengths)).toEqual([4, 1, 4]);
  }
  using migrated = new DatabaseSync(path);
  expect(migrated.prepare("SELECT chained_later FROM sessions").all()).toMatchObject(
    [3, 0, 3].map((seq) => ({ chained_later: seq })),
  );
});

test.each([
  ["the version before it, whole", 1],
  ["a new database empty", 0],
])("a failing migration leaves %s", (_, before) => {
  using database = new DatabaseSync(":memory:");
  const broken = [
    { version: 1, sql: "CREATE TABLE one (id INTEGER)" },
    { version: 2, sql: "CREATE TABLE two (id INTEGER); INSERT INTO missing VALUES (1)" },
  ];
  migrate(database, broken.slice(0, before), "/data/a.db");
  expect(() => migrate(database, broken, "/data/a.db")).toThrow(
    `The database /data/a.db could not be brought from schema ${before} to 2`,
  );
  expect(versionOf(database)).toBe(before);
  expect(schemaOf(database)).toMatchObject(before === 1 ? [{ name: "one" }] : []);
});

const DOORS: readonly (readonly [string, (dataDir: string) => unknown])[] = [
  ["a start", (dataDir) => openSqliteStore({ dataDir })],
  ["a start that accepts a loss", (dataDir) => openSqliteStore({ dataDir, acceptLoss: true })],
  ["a backup", (dataDir) => backupStore(dataDir, join(createTemporaryDir(), "backup.db"))],
  ["an audit", (dataDir) => openSqliteAudit(dataDir)],
  ["a check", (dataDir) => throwProblem(checkStore(dataDir))],
  ["a look of the doctor", (dataDir) => throwProblem(checkStore(dataDir, { thorough: false }))],
];

function throwProblem(report: ReturnType<typeof checkStore>): void {
  throw new Error(report?.problems[0]);
}

/** All files of the folder, byte for byte. */
function bytesIn(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(dataDir, name)).toString("base64")]),
  );
}

/** A folder whose database another program changed, before it closed or was killed. */
async function leaveForeign(change: string, { isKilled }: { readonly isKilled: boolean }) {
  const dataDir = createTemporaryDir();
  await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
  using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
  other.exec(change);
  if (!isKilled) return dataDir;
  // The version is in the log alone.
  const copy = createTemporaryDir();
  cpSync(dataDir, copy, { recursive: true });
  rmSync(join(copy, "holdpoint.db-shm"));
  return copy;
}

describe.each(DOORS)("%s", (_, open) => {
  test.each([
    ["of a newer release", "PRAGMA user_version = 99", /written by a newer release .schema 99/],
    ["of another program", "PRAGMA application_id = 7", /is a database of another program/],
  ])("refuses a database %s, and changes no byte of the folder", async (_of, change, words) => {
    for (const isKilled of [false, true]) {
      const dataDir = await leaveForeign(change, { isKilled });
      const before = bytesIn(dataDir);
      await expect((async () => open(dataDir))()).rejects.toThrow(words);
      expect(bytesIn(dataDir)).toEqual(before);
    }
  });
});

test("grants of approvals from before the current rules are removed, and a person's rules stay", () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 23), path);
    const insert = old.prepare(
      "INSERT INTO grants (grant_id, epoch, key_hash, created_at_ms, json) VALUES (?, (SELECT epoch FROM history), ?, 5, ?)",
    );
    for (const [grantId, rule] of [["gnt_1"], ["gnt_2", { pattern: "ls" }]] as const) {
      const row = { keyHash: grantId, grant: { grantId, rule, createdAt: new Date(5) } };
      insert.run(toKey(grantId), toKey(grantId), JSON.stringify(row));
    }
  }
  using migrated = new DatabaseSync(path);
  migrate(migrated, MIGRATIONS, path);
  expect(migrated.prepare("SELECT json ->> '$.grant.grantId' AS id FROM grants").all()).toEqual([
    { id: "gnt_2" },
  ]);
});

test("a database of another program is refused unchanged", async () => {
  const dataDir = createTemporaryDir();
  const path = join(dataDir, "holdpoint.db");
  {
    using foreign = new DatabaseSync(path);
    foreign.exec("CREATE TABLE theirs (id INTEGER)");
  }
  await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("another program"),
  });
  using after = new DatabaseSync(path);
  expect(schemaOf(after)).toHaveLength(1);
});

test("a database with a separate index for each status keeps each interaction and session in its lists", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  const statuses = INTERACTION_STATUSES;
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 4), path);
    old.exec(`
      INSERT INTO sessions (session_number, session_id, updated_at_ms, json) VALUES
        (1, 'ses_1', 5, '{"sessionId":"ses_1","status":"running"}'),
        (2, 'ses_2', 6, '{"sessionId":"ses_2","status":"idle"}')`);
    const insert = old.prepare(`
      INSERT INTO interactions (interaction_id, session_number, tool_call_id, status, started_at_ms, json)
      VALUES (?, 1, 'call_1', ?, 5, ?)`);
    for (const status of statuses) {
      const call = status === "delivered" ? { callDigest: "digest" } : undefined;
      const interaction = { interactionId: `int_${status}`, status };
      insert.run(interaction.interactionId, status, JSON.stringify({ interaction, call }));
    }
  }
  await using store = await openSqliteStore({ dataDir });
  const idsOf = (rows: readonly { interaction: { interactionId: string } }[]): string[] =>
    rows.map(({ interaction }) => interaction.interactionId);
  for (const status of statuses) {
    for (const query of [{}, { sessionId: "ses_1" }]) {
      const { items } = await store.listInteractions({ statuses: [status], limit: 9, ...query });
      expect(idsOf(items)).toEqual([`int_${status}`]);
    }
  }
  const ofCall = idsOf(await store.listToolCallInteractions("ses_1", "call_1"));
  expect(ofCall).toEqual([
    "int_answered",
    "int_delivered",
    "int_expired",
    "int_orphaned",
    "int_pending",
  ]);
  const { items: busy } = await store.listSessions({ onlyBusy: true, limit: 9 });
  expect(busy.map(({ sessionId }) => sessionId)).toEqual(["ses_1"]);
});

/** A row as schema 5 had it, whole, in the given status. */
function storedInStatus(status: InteractionStatus, number: number): StoredInteraction {
  const at = "2026-01-01T00:00:00.000Z";
  const isAnswered = status === "answered" || status === "delivered";
  return {
    interaction: {
      interactionId: `int_${number}`,
      sessionId: "ses_1",
      turnId: "trn_1",
      toolCallId: `call_${number}`,
      toolName: "Bash",
      agentId: "sub_1",
      kind: "approval",
      status,
      prompt: "Lone \ud800, \u0000 and ☃",
      attempt: 2,
      error: "Not a number.",
      approval: {
        input: { command: `echo ${number}`, nothing: null, large: 1e300, list: [[], {}, 0.1] },
        cwd: "/work",
        display: {},
        digest: "0".repeat(64),
        scopes: ["once"],
        scopeText: {},
        editable: true,
      },
      presentation: "tool",
      startedAt: at,
      ...(number % 2 === 0 && { deadlineAt: at }),
      onTimeout: number % 3 === 0 ? "deny" : "wait",
      hold: "held",
      ...(isAnswered && {
        response: { action: "approve", reason: "It's fine." },
        by: { person: "Ada", client: "laptop", at },
      }),
      ...(status === "delivered" && { how: "resumed", failure: "Too long." }),
      ...(!isAnswered && status !== "pending" && { closedReason: "No one answered in time." }),
    },
    agent: "demo",
    ...(status === "answered" && { responseKey: "key-1", secretValues: { pin: "s3cret" } }),
    ...(number % 5 === 0 && { call: { callDigest: "c", step: 0, requestDigest: "r" } }),
  };
}

/** The event with which it was asked. */
function requestOf({ interaction }: StoredInteraction, seq: number): SessionEvent {
  const { response: _r, by: _b, how: _h, failure: _f, closedReason: _c, ...asked } = interaction;
  const { startedAt: at, turnId } = interaction;
  const pending = { ...asked, status: "pending" as const };
  return { seq, at, type: "interaction_request", turnId, interaction: pending };
}

function byId(
  { interaction: a }: StoredInteraction,
  { interaction: b }: StoredInteraction,
): number {
  return a.interactionId < b.interactionId ? -1 : 1;
}

test("[R-15] sessions from before the table of viewers are listed for their viewers only, and stay so", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 22), path);
    const insert = old.prepare(
      "INSERT INTO sessions (session_id, updated_at_ms, json) VALUES (?, 5, ?)",
    );
    for (const [sessionId, seenBy] of [["all"], ["ada's", ["a"]], ["bob's", ["b", "c"]]] as const) {
      insert.run(sessionId, JSON.stringify({ sessionId, title: "t", cwd: "/", seenBy }));
    }
  }
  await using store = await openSqliteStore({ dataDir });
  const seen = async (...keys: string[]): Promise<string[]> => {
    const query = { archived: false, sight: { keys, names: [] }, limit: 9 };
    return (await store.listSessions(query)).items.map(({ sessionId }) => sessionId).toSorted();
  };
  expect(await seen("a")).toEqual(["ada's", "all"]);
  expect(await seen("c", "a")).toEqual(["ada's", "all", "bob's"]);
  expect(await seen()).toEqual(["all"]);
  await store.deleteSession("bob's");
  expect(await seen("b", "c")).toEqual(["all"]);
});

test("interactions with their request in the row are read unchanged, and can move on", async ({
  annotate,
}) => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  const planned = 3000;
  const rows = Array.from({ length: planned }, (_, number) =>
    storedInStatus(INTERACTION_STATUSES[number % INTERACTION_STATUSES.length]!, number),
  );
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 5), path);
    old.exec(`
      BEGIN;
      INSERT INTO sessions (session_number, session_id, updated_at_ms, json)
        VALUES (1, 'ses_1', 5, '{"sessionId":"ses_1","status":"idle"}')`);
    const insert = old.prepare(`
      INSERT INTO interactions (
        interaction_id, session_number, tool_call_id, is_of_gateway_tool, status, hold, is_open, started_at_ms,
        deadline_at_ms, json
      ) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`);
    const insertEvent = old.prepare("INSERT INTO events (place, json) VALUES (?, ?)");
    for (const [index, row] of rows.entries()) {
      const { interactionId, toolCallId, status, hold, startedAt, deadlineAt } = row.interaction;
      // A row may also come without its event.
      if (index % 4 > 0) insertEvent.run(2 ** 32 + index, JSON.stringify(requestOf(row, index)));
      const deadlineAtMs = deadlineAt === undefined ? null : Date.parse(deadlineAt);
      const state = [row.call ? 1 : 0, STATUS_NUMBER[status], hold, isFinal(status) ? 0 : 1];
      const times = [Date.parse(startedAt), deadlineAtMs];
      insert.run(interactionId, toolCallId, ...state, ...times, JSON.stringify(row));
    }
    old.exec("COMMIT");
  }
  await using store = await openSqliteStore({ dataDir });
  let tried = 0;
  for (const status of INTERACTION_STATUSES) {
    const { items } = await store.listInteractions({ statuses: [status], limit: planned });
    tried += items.length;
    const own = rows.filter(({ interaction }) => interaction.status === status);
    expect(items).toEqual(own.toSorted(byId));
  }
  expect(tried).toBe(planned);
  const late = rows.filter(({ interaction }) => /expired|orphaned/.test(interaction.status));
  const { answerable } = await store.countAnswerable();
  expect(answerable.get("ses_1")).toEqual({
    pending: planned / INTERACTION_STATUSES.length,
    parked: 0,
    late: late.filter(({ interaction }) => interaction.onTimeout === "wait").length,
  });
  // Their age counts from now on: the update removes nothing from the overview.
  expect(Date.now() - (await store.firstClosed("expired"))!).toBeLessThan(60_000);
  const [pending] = rows;
  const { deadlineAt: _, ...endless } = pending!.interaction;
  const moved = { ...pending!, interaction: { ...endless, hold: "queued" as const } };
  const write = { row: moved, expectedStatus: "pending" as const };
  expect(await store.append({ sessionId: "ses_1", interactions: [write] })).toMatchObject({
    status: "appended",
  });
  expect(await store.getInteraction("int_0")).toEqual(moved);
  await store[Symbol.asyncDispose]();
  using migrated = new DatabaseSync(path);
  const counted = migrated.prepare("SELECT count(request_seq) AS found FROM interactions").get();
  expect(counted).toEqual({ found: (planned / 4) * 3 });
  await annotate(`${planned} interactions of an older database`, "cases");
});

test("a file stays while any message carries it, even if others with it are taken back", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 16), path);
    fillFromVersion(old, 16);
    old.exec(`
      INSERT INTO attachments (session_number, attachment_id, uploaded_at_ms, is_sent, size, json, data)
        VALUES (1, 'att_two', 5, 1, 1, '{"attachmentId":"att_two"}', x'41'),
          (1, 'att_none', 5, 0, 1, '{"attachmentId":"att_none"}', x'41');
      INSERT INTO messages (session_number, message_id, json)
        VALUES (1, 'msg_2', '{"messageId":"msg_2","attachments":[{"attachmentId":"att_two"}]}'),
          (1, 'msg_3', '{"messageId":"msg_3","attachments":[{"attachmentId":"att_two"}]}');
    `);
  }
  await using store = await openSqliteStore({ dataDir });
  const { attachments } = store;
  await store.append({ sessionId: "ses_1", dequeue: ["msg_2"], takenBackAtMs: 6 });
  const room = { sessionBytes: 9, perSession: 9, gatewayBytes: 9, forgetBeforeMs: 100 };
  const facts = { name: "n", mediaType: "text/plain", bytes: 1, data: "QQ==" } as const;
  const put = (attachmentId: string) =>
    attachments.put({ attachmentId, sessionId: "ses_1", uploadedAtMs: 200, ...facts }, room);
  await put("att_new");
  expect(await attachments.find("ses_1", "att_none")).toBeUndefined();
  expect(await attachments.find("ses_1", "att_two")).toBeDefined();
  await store.append({ sessionId: "ses_1", dequeue: ["msg_3"], takenBackAtMs: 7 });
  await put("att_new");
  expect(await attachments.find("ses_1", "att_two")).toBeUndefined();
});
