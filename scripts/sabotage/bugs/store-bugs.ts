import type { Bug } from "../bug.ts";

const SRC = "packages/store-sqlite/src";
const CONTRACT = `${SRC}/sqlite-store.contract.test.ts`;
const DIFFERENTIAL = `${SRC}/sqlite-store.differential.test.ts`;
const SCHEDULES = `${SRC}/sqlite-store.schedules.test.ts`;
const POWER_LOSS = `${SRC}/power-loss.test.ts`;

export const STORE_BUGS: readonly Bug[] = [
  {
    what: "commits are not synced to the disk (synchronous = NORMAL)",
    rule: "R-2",
    file: `${SRC}/database.ts`,
    search: "PRAGMA synchronous = FULL;",
    replace: "PRAGMA synchronous = NORMAL;",
    tests: [`${SRC}/database.test.ts`, POWER_LOSS],
  },
  {
    what: "a write is acknowledged before its transaction is committed",
    rule: "R-2",
    file: `${SRC}/group-commit.ts`,
    search: "      commit.run();\n      return { outcomes, isOnDisk: true };",
    replace: "      setImmediate(() => commit.run());\n      return { outcomes, isOnDisk: true };",
    tests: [`${SRC}/group-commit.test.ts`, `${SRC}/sqlite-store.crash.test.ts`, POWER_LOSS],
  },
  {
    what: "a write that failed is acknowledged",
    rule: "R-2",
    file: `${SRC}/group-commit.ts`,
    search:
      '      outcome = { status: "failed", error: storeFailed("Writing to the store", error) };',
    replace: '      outcome = { status: "done", work: { keep: true, value: undefined } };',
    tests: [`${SRC}/group-commit.test.ts`, `${SRC}/foreign-lock.test.ts`],
  },
  {
    what: "a database that is older than it was is taken for the whole history",
    rule: "R-2",
    file: `${SRC}/history-loss.ts`,
    search: "  if (epoch === mark.epoch && generation >= mark.generation) return undefined;\n",
    replace: "  if (epoch === mark.epoch && generation >= 0) return undefined;\n",
    tests: [`${SRC}/history-loss.test.ts`, `${SRC}/history-marker.test.ts`],
  },
  {
    what: "a log that is damaged in its middle is taken for the whole history",
    rule: "R-2",
    file: `${SRC}/history-loss.ts`,
    search: "  const { lostCommits } = isInUse ?",
    replace: "  const { lostCommits } = isInUse || size > 0 ?",
    tests: [`${SRC}/history-loss.test.ts`],
  },
  {
    what: "what a conflict has written in part is kept",
    rule: "R-1",
    file: `${SRC}/group-commit.ts`,
    search: 'if (outcome.status === "failed" || !outcome.work.keep) undo.run();',
    replace: 'if (outcome.status === "failed") undo.run();',
    tests: [`${SRC}/group-commit.test.ts`, CONTRACT, DIFFERENTIAL],
  },
  {
    what: "compare-and-set compares nothing",
    rule: "R-1",
    file: `${SRC}/statements/interaction-statements.ts`,
    search: "AND status = ? AND hold = coalesce(?, hold)\n        AND +stage = ?`;",
    replace: "AND ? IS NOT NULL AND hold = coalesce(?, hold)\n        AND ? IS NOT NULL`;",
    tests: [CONTRACT, DIFFERENTIAL, SCHEDULES],
  },
  {
    what: "reading after a cursor repeats its event",
    rule: "R-7",
    file: `${SRC}/statements/event-statements.ts`,
    search: "WHERE place > ? AND place < ? ORDER BY place LIMIT ?`,",
    replace: "WHERE place >= ? AND place < ? ORDER BY place LIMIT ?`,",
    tests: [CONTRACT, DIFFERENTIAL, SCHEDULES],
  },
  {
    what: "what is due is found a moment too late",
    rule: "R-3",
    file: `${SRC}/statements/interaction-statements.ts`,
    search: "due_at_ms <= ? AND status",
    replace: "due_at_ms < ? AND status",
    tests: [CONTRACT, DIFFERENTIAL, SCHEDULES],
  },
  {
    what: "an answer frees no key of what a person entered",
    rule: "R-19",
    file: `${SRC}/sealed-values.ts`,
    search: "      if (before !== undefined) this.#keys.end(before);\n",
    replace: "",
    tests: [`${SRC}/sealed-values.test.ts`, "packages/engine/src/tools"],
  },
  {
    what: "sensitive values are written as text",
    rule: "R-19",
    file: `${SRC}/sealed-values.ts`,
    search:
      "return sealing ? { ...write, row: { ...row, sealed: sealing.text } as SealedRow } : write;",
    replace: "return write;",
    tests: [`${SRC}/sealed-values.test.ts`, CONTRACT],
  },
  {
    what: "a queued message is taken twice",
    rule: "R-4",
    file: `${SRC}/statements/message-statements.ts`,
    search:
      "UPDATE messages SET queued = 0 WHERE session_number = ? AND message_id = ? AND queued = 1",
    replace: "UPDATE messages SET queued = 0 WHERE session_number = ? AND message_id = ?",
    tests: [CONTRACT, DIFFERENTIAL, SCHEDULES],
  },
  {
    what: "another gateway may open the same data folder",
    rule: "R-17",
    file: `${SRC}/writer-lock.ts`,
    search: 'connection.exec("BEGIN EXCLUSIVE");',
    replace: 'connection.exec("BEGIN");',
    tests: [`${SRC}/writer-lock.test.ts`, `${SRC}/sqlite-store.crash.test.ts`],
  },
  {
    what: "a grant that has ended is still found",
    rule: "R-5",
    file: `${SRC}/statements/grant-statements.ts`,
    search:
      "      WHERE key_hash = ? AND session_number IS NULL\n        AND (expires_at_ms IS NULL OR expires_at_ms > ?)",
    replace:
      "      WHERE key_hash = ? AND session_number IS NULL\n        AND (expires_at_ms IS NULL OR ? > 0)",
    tests: [CONTRACT, DIFFERENTIAL, `${SRC}/read-grants.test.ts`],
  },
  {
    what: "a grant for one session holds in all",
    rule: "R-15",
    file: `${SRC}/statements/grant-statements.ts`,
    search: "      WHERE key_hash = ? AND session_number IS NULL\n",
    replace: "      WHERE key_hash = ?\n",
    tests: [CONTRACT, DIFFERENTIAL, `${SRC}/read-grants.test.ts`],
  },
];
