import { DatabaseSync } from "node:sqlite";

import type { AnsweredQuery, Store, StoredInteraction } from "@holdpoint/engine";
import { creation, interactionRow } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { prepareDataDir } from "./data-dir.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const SESSION = "ses_1";
const COUNT = 10_000;
/** In processor time, which does not depend on other work of the machine. */
const MAX_MS = 50;

/** As large as the commands that agents run. */
function createAnswered(index: number): StoredInteraction {
  const command = `npm run build -- --package package-${index} ${"--with some-option ".repeat(20)}`;
  return interactionRow(SESSION, `int_${index}`, {
    kind: "approval",
    status: "answered",
    approval: {
      input: { command },
      cwd: "/work",
      display: {},
      digest: "digest",
      scopes: ["once"],
      scopeText: {},
      editable: false,
    },
    response: { action: "approve" },
    by: {
      person: "Ada",
      client: "phone",
      at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    },
  });
}

type Search = Partial<Omit<AnsweredQuery, "cursor">>;

async function timeOf(store: Store, search: Search): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const before = process.cpuUsage();
    await store.listAnswered({ words: [], maxRows: COUNT, limit: 50, ...search });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return times.toSorted((a, b) => a - b)[4]!;
}

test("[R-20] a search for a word, person or tool in ten thousand answers takes 50 ms, with or without a match", async ({
  annotate,
}) => {
  await using store = await openSqliteStore({ dataDir: createTemporaryDir() });
  await store.append(creation(SESSION, { title: "Everything" }));
  const rows = Array.from({ length: COUNT }, (_, index) => createAnswered(index));
  await store.append({
    sessionId: SESSION,
    interactions: rows.map((row) => ({ row, expectedStatus: undefined })),
  });
  const query = { words: ["package-77", "ada"], maxRows: COUNT, limit: 5 };
  const { items } = await store.listAnswered(query);
  expect(items.map(({ stored }) => stored.interaction.interactionId)).toEqual([
    "int_7799",
    "int_7798",
    "int_7797",
    "int_7796",
    "int_7795",
  ]);
  const searches: Search[] = [
    {},
    { words: ["package-77"] },
    { words: ["nowhere"] },
    { words: ["nowhere", "ada", "npm"] },
    { person: "Nobody", agent: "demo", tool: "ask_user", action: "approve" },
  ];
  for (const search of searches) {
    const ms = await timeOf(store, search);
    await annotate(`${ms.toFixed(1)} ms for ${JSON.stringify(search)}`, "time");
    expect(ms).toBeLessThan(MAX_MS);
  }
  const before = performance.now();
  const names = await store.listAnsweredNames(COUNT);
  expect(names).toEqual({ people: ["Ada"], agents: ["demo"], tools: ["ask_user"] });
  await annotate(`${(performance.now() - before).toFixed(1)} ms for the names`, "time");
});

test("answers from before the history are in it", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 10), path);
    old.exec(`
      INSERT INTO sessions (session_number, session_id, updated_at_ms, json)
        VALUES (1, 'ses_1', 5, '{"sessionId":"ses_1","title":"Old","agent":"claude"}');
      INSERT INTO interactions (
        interaction_id, session_number, tool_call_id, is_of_gateway_tool, takes_late_answer,
        started_at_ms, status, stage, hold, json, request
      ) VALUES
        ('int_1', 1, 'call_1', 0, 1, 5, 1, 1, 'held',
          '{"interaction":{"response":{"action":"deny"},"by":{"person":"Ada","client":"Phone","at":"2026-01-01T00:00:00.250Z"}}}',
          '{"interaction":{"interactionId":"int_1","toolName":"Bash","approval":{"input":{"command":"RM -rf"}}}}'),
        ('int_2', 1, 'call_2', 0, 1, 5, 0, 0, 'held', '{"interaction":{}}',
          '{"interaction":{"interactionId":"int_2"}}');
    `);
  }
  await using store = await openSqliteStore({ dataDir });
  const searches: Search[] = [
    {},
    { words: ["rm -rf"] },
    { words: ["phone", "bash"] },
    { person: "Ada", agent: "claude", tool: "Bash", action: "deny" },
  ];
  for (const search of searches) {
    const { items } = await store.listAnswered({ words: [], maxRows: 9, limit: 9, ...search });
    expect(items).toMatchObject([
      { sessionTitle: "Old", stored: { interaction: { interactionId: "int_1" } } },
    ]);
  }
  const after = { words: [], maxRows: 9, limit: 1, cursor: "1767225600250/2" };
  const late = await store.listAnswered(after);
  expect(late.items).toHaveLength(1);
});

test("answers from the time of the separate index are in order, and are deleted with their sessions", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  const count = 300;
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 17), path);
    old.exec(`
      INSERT INTO sessions (session_number, session_id, updated_at_ms, json) VALUES
        (1, 'ses_1', 5, '{"sessionId":"ses_1","title":"One"}'),
        (2, 'ses_2', 5, '{"sessionId":"ses_2","title":"Two"}')`);
    const insert = old.prepare(`
      INSERT INTO interactions (
        interaction_number, interaction_id, session_number, tool_call_id, is_of_gateway_tool,
        takes_late_answer, started_at_ms, status, stage, hold, json, request
      ) VALUES (?, ?, ?, 'call', 0, 1, 5, 1, 1, 'held', '{"interaction":{}}', ?)`);
    const insertAnswer = old.prepare("INSERT INTO answers VALUES (?, ?, ?, 'yes')");
    for (let number = 1; number <= count; number += 1) {
      const interactionId = `int_${number}`;
      const session = (number % 2) + 1;
      insert.run(
        number,
        interactionId,
        session,
        JSON.stringify({ interaction: { interactionId } }),
      );
      // Three in each millisecond, and the first of all came last.
      insertAnswer.run(number, session, 1_767_225_600_000 - Math.floor(number / 3));
    }
  }
  await using store = await openSqliteStore({ dataDir });
  const listAll = async (): Promise<number[]> => {
    const found: number[] = [];
    for (let cursor: string | undefined; ;) {
      const query = { words: [], maxRows: 7, limit: 7, ...(cursor && { cursor }) };
      const page = await store.listAnswered(query);
      found.push(
        ...page.items.map(({ stored }) => Number(stored.interaction.interactionId.slice(4))),
      );
      cursor = page.nextCursor;
      if (cursor === undefined) return found;
    }
  };
  const found = await listAll();
  const instants = found.map((number) => Math.floor(number / 3));
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  expect(found.toSorted((a, b) => a - b)).toEqual(all);
  await store.deleteSession("ses_2");
  const left = all.filter((number) => number % 2 === 0);
  expect((await listAll()).toSorted((a, b) => a - b)).toEqual(left);
});
