import { sessionLog } from "./0001-session-log.ts";
import { grantsAndMore } from "./0002-grants-and-more.ts";
import { append } from "./0003-append.ts";
import { writes } from "./0004-writes.ts";
import { chainedEvents } from "./0005-chained-events.ts";
import { filteredAnswers } from "./0006-filtered-answers.ts";
import { nodes } from "./0007-nodes.ts";
import { sessionsOfPeople } from "./0008-sessions-of-people.ts";
import { leanWrites } from "./0009-lean-writes.ts";
import type { Migration } from "./migration.ts";

/** In order: a migration's index plus 1 is its version. */
export const MIGRATIONS: readonly Migration[] = [
  sessionLog,
  grantsAndMore,
  append,
  writes,
  chainedEvents,
  filteredAnswers,
  nodes,
  sessionsOfPeople,
  leanWrites,
];
