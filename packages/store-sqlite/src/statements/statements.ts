import type { DatabaseSync, StatementSync } from "node:sqlite";

import { toSearchable } from "@holdpoint/engine";

import { defineSeen } from "../seen.ts";
import { ANSWER_STATEMENTS } from "./answer-statements.ts";
import { EVENT_STATEMENTS } from "./event-statements.ts";
import { GRANT_STATEMENTS } from "./grant-statements.ts";
import { INTERACTION_STATEMENTS } from "./interaction-statements.ts";
import { MESSAGE_STATEMENTS } from "./message-statements.ts";
import { SESSION_STATEMENTS } from "./session-statements.ts";
import { SNOOZE_STATEMENTS } from "./snooze-statements.ts";

const STATEMENTS = {
  ...SESSION_STATEMENTS,
  ...EVENT_STATEMENTS,
  ...INTERACTION_STATEMENTS,
  ...ANSWER_STATEMENTS,
  ...SNOOZE_STATEMENTS,
  ...MESSAGE_STATEMENTS,
  ...GRANT_STATEMENTS,
};

/** All statements of the store, prepared once. Values are always bound by position. */
export type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;

export function prepareStatements(database: DatabaseSync): Statements {
  defineSeen(database);
  database.function("searchable", { deterministic: true }, (text) => toSearchable(String(text)));
  const prepared = Object.entries(STATEMENTS).map(
    ([name, sql]) => [name, database.prepare(sql)] as const,
  );
  const statements = Object.fromEntries(prepared) as Statements;
  // Rows that are read by the thousand are arrays of columns.
  statements.chainAfter.setReturnArrays(true);
  statements.eventsAfter.setReturnArrays(true);
  statements.eventsBefore.setReturnArrays(true);
  return statements;
}
