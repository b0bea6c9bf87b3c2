import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { MIGRATIONS } from "./migrations/index.ts";
import { prepareStatements } from "./statements.ts";

function createDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of MIGRATIONS) database.exec(sql);
  return database;
}

test("no statement reads more rows than it answers or changes", () => {
  using database = createDatabase();
  const plans = Object.entries(prepareStatements(database)).map(([name, { sourceSQL }]) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all();
    return [name, steps.map(({ detail }) => String(detail)).join("\n")] as const;
  });
  const isWide = (plan: string): boolean => /SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(plan);
  expect(plans.filter(([, plan]) => isWide(plan)).map(([name]) => name)).toEqual([
    // Once, at the start of a gateway: all sessions, and all interactions that are not final.
    "countSessions",
    "countAnswerable",
    // Over all sessions: every queued message is wanted, in another order than that of the index.
    "listQueue",
  ]);
});

test("deadlines are read from the index that holds nothing but deadlines", () => {
  using database = createDatabase();
  const { nextDeadline } = prepareStatements(database);
  const [step] = database.prepare(`EXPLAIN QUERY PLAN ${nextDeadline.sourceSQL}`).all();
  expect(step?.["detail"]).toContain("interactions_by_deadline");
});

test("interactions that have finished are in no index of those that are open", () => {
  using database = createDatabase();
  const statements = prepareStatements(database);
  const plans = [
    statements.listInteractions,
    statements.listSessionInteractions,
    statements.countInteractions,
    statements.countSessionInteractions,
    statements.countAnswerable,
  ].map(({ sourceSQL }) => database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all());
  const indexesOf = (plan: Record<string, unknown>[]): string[] =>
    plan.flatMap(({ detail }) => /interactions_\w+/.exec(String(detail)) ?? []);
  const ofAll = ["interactions_open", "interactions_finished"];
  const ofSession = ["interactions_open_by_session", "interactions_finished_by_session"];
  expect(plans.map(indexesOf)).toEqual([ofAll, ofSession, ofAll, ofSession, ["interactions_open"]]);
});

test("a change of status leaves the index of tool calls alone", () => {
  using database = createDatabase();
  const { updateInteraction } = prepareStatements(database);
  const nameOf = database.prepare("SELECT name FROM sqlite_schema WHERE rootpage = ?");
  const written = database
    .prepare(`EXPLAIN ${updateInteraction.sourceSQL}`)
    .all()
    .filter(({ opcode }) => opcode === "OpenWrite")
    .map(({ p2 }) => nameOf.get(p2 as number)?.["name"]);
  expect(written).toContain("interactions_open");
  expect(written).not.toContain("interactions_by_tool_call");
});
