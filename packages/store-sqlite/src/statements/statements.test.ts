import { DatabaseSync } from "node:sqlite";

import { INTERACTION_STATUSES } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { migrate } from "../migrate.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { LEFT_STAGE, stageOf, STATUS_NUMBER, statusOfNumber } from "../status-number.ts";
import { prepareStatements } from "./statements.ts";

function createDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  migrate(database, MIGRATIONS, ":memory:");
  return database;
}

test("no statement reads more rows than it returns or changes", () => {
  using database = createDatabase();
  const plans = Object.entries(prepareStatements(database)).map(([name, { sourceSQL }]) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all();
    return [name, steps.map(({ detail }) => String(detail)).join("\n")] as const;
  });
  // Interactions that were asked in the same millisecond are sorted by their id as they are read. The keys of a sight are few.
  const isWide = (plan: string): boolean =>
    /SCAN (?!CONSTANT ROW|json_each )|TEMP B-TREE (?!FOR LAST TERM)/.test(plan);
  expect(plans.filter(([, plan]) => isWide(plan)).map(([name]) => name)).toEqual([
    // A page of each of two lists, in one order.
    "listSessions",
    // Once, at the start of a gateway: all sessions, the archived ones, whose they are, and all interactions that can be answered.
    "listArchived",
    "listSeenBy",
    "countSessions",
    "countAnswerable",
    // A handful of rows, in an order that no index gives.
    "listDue",
    // A search looks through the titles of the sessions.
    "listAnswered",
    // Reads a given number of the newest answers.
    "listAnsweredNames",
    // On starting: the sessions in the order of their messages.
    "listQueuedSessions",
  ]);
});

function planOf(database: DatabaseSync, { sourceSQL }: { readonly sourceSQL: string }): string {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`).all();
  return steps.map(({ detail }) => String(detail)).join("\n");
}

test("deadlines are read from the pending interactions", () => {
  using database = createDatabase();
  const { listDue, nextDeadline } = prepareStatements(database);
  expect(planOf(database, listDue)).toContain("USING INDEX interactions_by_stage (stage=?)");
  expect(planOf(database, nextDeadline)).toContain("USING INDEX interactions_by_stage (stage=?)");
});

test("each list of interactions is read from the index in its order", () => {
  using database = createDatabase();
  const statements = prepareStatements(database);
  expect(planOf(database, statements.listInteractions)).toMatch(
    /interactions_by_stage \(stage=\? AND started_at_ms>/,
  );
  expect(planOf(database, statements.listSessionInteractions)).toMatch(
    /interactions_by_session \(session_number=\? AND stage=\? AND started_at_ms>/,
  );
  expect(planOf(database, statements.listOpenOfToolCall)).toContain(
    "interactions_by_session (session_number=? AND stage=?)",
  );
  expect(planOf(database, statements.listOfGatewayTool)).toContain(
    "interactions_by_tool_call (session_number=? AND tool_call_id=?)",
  );
});

test("the sessions that a person sees are found by key, and their lists are read in order", () => {
  using database = createDatabase();
  const statements = prepareStatements(database);
  const { listKeptWith, listArchivedWith, listAnswered, listGrants } = statements;
  for (const list of [listKeptWith, listArchivedWith, listAnswered, listGrants]) {
    expect(planOf(database, list)).toMatch(/SEARCH sharing USING PRIMARY KEY \(key=\?\)/);
  }
  expect(planOf(database, listKeptWith)).toMatch(/sessions USING INDEX sessions_kept/);
  expect(planOf(database, statements.listSeenInteractions)).toMatch(
    /interactions_by_stage \(stage=\? AND started_at_ms>/,
  );
});

test("resuming interactions are found among any number of answers", () => {
  using database = createDatabase();
  expect(planOf(database, prepareStatements(database).listResuming)).toContain(
    "SEARCH interactions USING INDEX interactions_resuming (session_number=?)",
  );
});

test("the history is read in its order, as far as it is shown", () => {
  using database = createDatabase();
  const { listAnswered, answerAfter } = prepareStatements(database);
  const plan = planOf(database, listAnswered);
  const range = "SEARCH answers USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
  expect(plan).toContain(range);
  expect(planOf(database, answerAfter)).toBe(range);
  expect(plan).toContain("SEARCH found USING INTEGER PRIMARY KEY");
});

test("late interactions are counted and found with the index alone", () => {
  using database = createDatabase();
  const { listClosed, firstClosed } = prepareStatements(database);
  expect(planOf(database, listClosed)).toContain("USING INDEX interactions_by_stage (stage=?)");
  expect(planOf(database, firstClosed)).toContain(
    "USING COVERING INDEX interactions_by_stage (stage=?)",
  );
});

test("a response writes to no index, and the end of an interaction to two", () => {
  using database = createDatabase();
  const { answerInteraction, moveInteraction } = prepareStatements(database);
  const nameOf = database.prepare("SELECT name FROM sqlite_schema WHERE rootpage = ?");
  const written = ({ sourceSQL }: { readonly sourceSQL: string }): unknown[] =>
    database
      .prepare(`EXPLAIN ${sourceSQL}`)
      .all()
      .filter(({ opcode }) => opcode === "OpenWrite")
      .map(({ p2 }) => String(nameOf.get(p2 as number)?.["name"]))
      // The row is found by its id; that index is opened with the others.
      .filter((name) => !name.startsWith("sqlite_autoindex"))
      // As long as nothing was answered while it was parked, nothing is in it.
      .filter((name) => name !== "interactions_resuming")
      .toSorted();
  expect(written(answerInteraction)).toEqual(["interactions"]);
  expect(written(moveInteraction)).toEqual([
    "interactions",
    "interactions_by_session",
    "interactions_by_stage",
  ]);
});

test("each status has a distinct number, and answered interactions share the stage of pending ones", () => {
  expect(Object.keys(STATUS_NUMBER).toSorted()).toEqual(INTERACTION_STATUSES.toSorted());
  expect(new Set(Object.values(STATUS_NUMBER)).size).toBe(INTERACTION_STATUSES.length);
  for (const status of INTERACTION_STATUSES) {
    expect(statusOfNumber(STATUS_NUMBER[status])).toBe(status);
    const sameStage = INTERACTION_STATUSES.filter((other) => stageOf(other) === stageOf(status));
    const together = status === "pending" || status === "answered";
    expect(sameStage).toEqual(together ? ["pending", "answered"] : [status]);
  }
  expect(() => statusOfNumber(6)).toThrow(RangeError);
  const left = INTERACTION_STATUSES.filter((status) => stageOf(status, true) !== stageOf(status));
  expect(left).toEqual(["expired", "orphaned"]);
  expect(Object.values(STATUS_NUMBER)).not.toContain(LEFT_STAGE);
});
