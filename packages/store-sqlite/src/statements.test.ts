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
  const isWide = (plan: string): boolean => /SCAN|TEMP B-TREE/.test(plan);
  expect(plans.filter(([, plan]) => isWide(plan)).map(([name]) => name)).toEqual([
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
