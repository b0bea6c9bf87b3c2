import type { Bug } from "../bug.ts";

const SRC = "packages/store-postgres/src";
const FAULTS = `${SRC}/postgres-store.faults.test.ts`;
const CRASH = `${SRC}/postgres-store.crash.test.ts`;
const LEASE = `${SRC}/lease-life.test.ts`;
const NODES = `${SRC}/nodes.server.test.ts`;
const MOVE = `${SRC}/move-store.test.ts`;

export const POSTGRES_BUGS: readonly Bug[] = [
  {
    what: "a write whose connection broke after its commit is written once more",
    rule: "R-2",
    file: `${SRC}/writer.ts`,
    search: "      this.#settle(flight, JSON.parse(history.results) as unknown[]);\n",
    replace: "      this.#generation = history.generation;\n",
    tests: [FAULTS, CRASH],
  },
  {
    what: "a write whose connection broke is reported as not written",
    rule: "R-2",
    file: `${SRC}/writer.ts`,
    search: "    void connection?.close();\n",
    replace:
      "    void connection?.close();\n" +
      "    for (const job of this.#flight?.jobs ?? []) job.reject(unknownOutcome());\n",
    tests: [FAULTS, CRASH],
  },
  {
    what: "a server that loses commits in a power failure is taken",
    rule: "R-2",
    file: `${SRC}/check-server.ts`,
    search: '  if (synchronousCommit === "off") return "synchronous_commit";\n',
    replace: "  if (synchronousCommit === undefined) return undefined;\n",
    tests: [`${SRC}/check-server.test.ts`],
  },
  {
    what: "a database in Postgres that is older than it was is taken for the whole history",
    rule: "R-2",
    file: `${SRC}/history-loss.ts`,
    search: "mark?.epoch === found.epoch && mark.generation <= found.generation",
    replace: "mark?.epoch === found.epoch && mark.generation >= 0",
    tests: [FAULTS, MOVE],
  },
  {
    what: "a gateway goes on writing after another one has taken the database",
    rule: "R-1",
    file: `${SRC}/functions/writes.ts`,
    search: "WHERE id = 1 AND owner = by_owner AND generation",
    replace: "WHERE id = 1 AND generation",
    tests: [FAULTS],
  },
  {
    what: "on Postgres a pending interaction is read as it was before its answer",
    rule: "R-1",
    file: `${SRC}/written-rows.ts`,
    search: "status !== STATUS_NUMBER.pending) this.#pending.delete(key);",
    replace: "status !== STATUS_NUMBER.pending) continue;",
    tests: [`${SRC}/postgres-store.contract.test.ts`, `${SRC}/written-rows.test.ts`],
  },
  {
    what: "a write in Postgres takes any number",
    rule: "R-1",
    file: `${SRC}/functions/writes.ts`,
    search: " AND generation = as_generation - 1 AND moved_to IS NULL",
    replace: " AND moved_to IS NULL",
    tests: [FAULTS],
  },
  {
    what: "two gateways hold the lock of one database",
    rule: "R-1",
    file: `${SRC}/writer-lock.ts`,
    search: "    if (own !== undefined && others.length === 0) return;\n",
    replace: "    if (own !== undefined) return;\n",
    tests: [FAULTS],
  },
  {
    what: "the key of a sensitive value is put on the disk after its row was sent to Postgres",
    rule: "R-19",
    file: `${SRC}/postgres-store.ts`,
    search: "      sealed.addKeys();\n",
    replace: "",
    tests: [FAULTS],
  },
  {
    what: "the key of a sensitive value ends though its row may be in Postgres",
    rule: "R-19",
    file: `${SRC}/postgres-store.ts`,
    search: "      if (!isUnknown(error)) sealed.undo();\n",
    replace: "      if (isUnknown(error) || error) sealed.undo();\n",
    tests: [FAULTS],
  },
  {
    what: "a node counts its lease from the answer on, and works beside another",
    rule: "R-1",
    file: `${SRC}/lease-life.ts`,
    search: "  const untilMs = sentMs + row.leftMs;\n",
    replace: "  const untilMs = Math.max(sentMs, nowMs) + row.leftMs;\n",
    tests: [LEASE],
  },
  {
    what: "a node takes the lease of a database that a newer release has brought up to date",
    rule: "R-1",
    file: `${SRC}/node-lease.ts`,
    search: "$6 AND version <= ",
    replace: "$6 AND version <> -",
    tests: [NODES],
  },
];
