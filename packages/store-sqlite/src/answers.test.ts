import type { AnsweredQuery, Store, StoredInteraction } from "@holdpoint/engine";
import { creation, interactionRow } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

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
