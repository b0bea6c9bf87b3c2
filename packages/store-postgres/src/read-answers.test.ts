import { STATUS_NUMBER } from "@holdpoint/store-sqlite/rows";
import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { LIST_ANSWERED } from "./read-answers.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

/** Fills a database with answers of one session, each a millisecond after the last. */
async function fillAnswers(url: string, count: number): Promise<void> {
  const client = await connect(url, "test");
  await client.query(
    `INSERT INTO sessions (session_id, last_seq, updated_at_ms, is_busy, is_archived, title, searched, json)
     VALUES ('ses_1', 0, 5, false, false, '', '', '{"title":"One","agent":"claude"}')`,
  );
  const said = {
    response: { action: "deny", reason: "\0" },
    by: { person: "Ada", client: "laptop" },
  };
  await client.query(
    `INSERT INTO interactions (interaction_id, session_number, tool_call_id, is_of_gateway_tool,
       takes_late_answer, started_at_ms, status, stage, hold, json, request)
     SELECT 'int_' || number, session_number, 'call', false, true, 5, $2, 1, 'held', $3, $4
     FROM sessions, generate_series(1, $1) AS number`,
    [
      count,
      STATUS_NUMBER.answered,
      JSON.stringify({ interaction: said }),
      JSON.stringify({ interaction: { toolName: "Bash" } }),
    ],
  );
  await client.query(
    `INSERT INTO answers
       (interaction_number, session_number, answered_at_ms, person, agent, tool, action, words)
     SELECT interaction_number, session_number, 1000 + interaction_number, 'Ada', 'claude', 'Bash', 'deny', 'yes'
     FROM interactions`,
  );
  await client.query("ANALYZE answers");
  await client.end();
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns how many rows of a table a plan has read. */
function rowsOf(table: string, node: PlanNode): number {
  const inner = (node.Plans ?? []).map((one) => rowsOf(table, one));
  const seen = node["Actual Rows"] * node["Actual Loops"] + (node["Rows Removed by Filter"] ?? 0);
  return inner.reduce((a, b) => a + b, node["Relation Name"] === table ? seen : 0);
}

test("[R-20] a page of the filtered history reads no more answers than it may", async () => {
  const url = await createDatabase();
  const count = 5000;
  await fillAnswers(url, count);
  {
    await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
    const named = { person: "Ada", agent: "claude", tool: "Bash", action: "deny" } as const;
    const page = { words: [], maxRows: 100, limit: 2 };
    const { items } = await store.listAnswered({ ...named, ...page });
    expect(items.map(({ stored }) => stored.interaction.response)).toEqual([
      { action: "deny", reason: "\0" },
      { action: "deny", reason: "\0" },
    ]);
    const none = await store.listAnswered({ ...named, ...page, tool: "Edit" });
    expect(none).toEqual({ items: [], nextCursor: `${1000 + count - 99}/${count - 99}` });
  }
  const values = [9e15, 0, 51, [], "Ada", null, "Edit", null, 1000 + count - 99, count - 99, null];
  const plan = await runOn(url, async (client) => {
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${LIST_ANSWERED}`,
      values,
    );
    return rows[0]!["QUERY PLAN"][0].Plan;
  });
  expect(rowsOf("answers", plan)).toBe(100);
});
