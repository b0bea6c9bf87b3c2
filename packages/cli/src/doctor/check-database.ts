import type { PostgresReport } from "@holdpoint/store-postgres";

import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { count, inMegabytes } from "./words.ts";

/** In larger databases, only `holdpoint check` looks for damage. */
const LOOKED_THROUGH_BYTES = 32 * 1024 * 1024;

/** Checks the database's versions, its write mode, and whether a part of the history is lost. */
export function checkDatabase({
  store,
  postgres,
  storeProblem,
  folder,
  settings,
}: Scene): Finding[] {
  const findings = new Findings("Database");
  if (settings.store !== undefined) return checkPostgres(findings, postgres, storeProblem);
  if (storeProblem !== undefined) {
    findings.problem(
      `${storeProblem}.`,
      "Restore a copy of the data folder, or choose another one with --data-dir.",
    );
    return findings.list;
  }
  if (store === undefined) {
    if (folder.is === "ours" || folder.is === "missing") findings.ok("there is none yet");
    return findings.list;
  }
  const { sqlite, bytes, rows, marker, problems } = store;
  for (const problem of problems) {
    findings.problem(
      problem,
      "Restore a copy of the data folder; see holdpoint check, and guides/durability.md.",
    );
  }
  const isLarge = bytes.database > LOOKED_THROUGH_BYTES;
  const facts = { sqlite, bytes, rows, marker };
  const modes = `SQLite ${sqlite.version}, journal ${sqlite.journal}, synchronous ${sqlite.synchronous}`;
  const size = `${inMegabytes(bytes.database)}, ${count(rows.sessions, "session")}`;
  if (problems.length > 0) findings.note(`${modes}, ${size}.`, undefined, facts);
  else if (isLarge) {
    findings.ok(`${modes}, ${size}; too large to check here; run holdpoint check`, facts);
  } else findings.ok(`${modes}, ${size}, nothing damaged or missing`, facts);
  return findings.list;
}

function checkPostgres(
  findings: Findings,
  report: PostgresReport | undefined,
  problem: string | undefined,
): Finding[] {
  if (!report) {
    findings.problem(`${problem ?? "it cannot be checked"}.`, "See guides/postgres.md.");
    return findings.list;
  }
  const { address, server, rows, problems, workingNode } = report;
  for (const each of problems) findings.problem(each, "See guides/postgres.md.");
  findings.ok(
    `Postgres ${server.version} at ${address}, synchronous_commit ${server.synchronousCommit}, ${count(rows.sessions, "session")}${workingNode ? `; the node at ${workingNode.address} works` : ""}`,
    { server, rows, ...(workingNode && { workingNode }) },
  );
  return findings.list;
}
