import type { DatabaseSync } from "node:sqlite";

import { toSearchable } from "@holdpoint/engine";

import { defineSeen } from "../seen.ts";
import { prepareAnswerStatements } from "./answer-statements.ts";
import { prepareEventStatements } from "./event-statements.ts";
import { prepareGrantStatements } from "./grant-statements.ts";
import { prepareInteractionStatements } from "./interaction-statements.ts";
import { prepareMessageStatements } from "./message-statements.ts";
import { prepareSessionStatements } from "./session-statements.ts";
import { prepareSnoozeStatements } from "./snooze-statements.ts";

/** Every statement of the store, prepared once. Values are always bound by position. */
export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: DatabaseSync) {
  defineSeen(database);
  database.function("searchable", { deterministic: true }, (text) => toSearchable(String(text)));
  return {
    ...prepareSessionStatements(database),
    ...prepareEventStatements(database),
    ...prepareInteractionStatements(database),
    ...prepareAnswerStatements(database),
    ...prepareSnoozeStatements(database),
    ...prepareMessageStatements(database),
    ...prepareGrantStatements(database),
  };
}
