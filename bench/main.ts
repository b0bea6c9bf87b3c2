// npm run bench: measures the budgets on this machine. `npm run bench -- NAME …` runs some parts only. Exits with 1
// when a budget is missed, and with 2 for an unknown part.
import { availableParallelism } from "node:os";

import { buildGateway } from "../scripts/build-gateway.ts";
import { measureAsks } from "./asks.ts";
import { measureClients } from "./clients/clients.ts";
import { measureGrants } from "./grants.ts";
import { measureHook } from "./hook.ts";
import { measureHost } from "./host.ts";
import { measureLateAnswers } from "./late-answers.ts";
import { measureLaunch } from "./launch.ts";
import { measureLog } from "./log.ts";
import { measureParked } from "./parked/parked.ts";
import { measurePendingHeap } from "./pending/pending.ts";
import { measurePeople } from "./people.ts";
import { measureReplay } from "./replay.ts";
import { measureRoundTrips } from "./round-trip/round-trip.ts";
import { measureStart } from "./start/start.ts";
import { exitCodeOf, formatTable, type Row } from "./support/report.ts";
import { measureWaits } from "./waits.ts";

const PARTS: Readonly<Record<string, () => Promise<Row[]>>> = {
  pending: measurePendingHeap,
  parked: measureParked,
  "round-trip": measureRoundTrips,
  "late-answers": measureLateAnswers,
  start: measureStart,
  launch: measureLaunch,
  log: measureLog,
  replay: measureReplay,
  grants: measureGrants,
  host: measureHost,
  hook: measureHook,
  people: measurePeople,
  waits: measureWaits,
  asks: measureAsks,
  clients: measureClients,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}\n`,
  );
  process.exit(2);
}

buildGateway();
process.stdout.write(`Node ${process.versions.node}, ${availableParallelism()} cores\n`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const measured = await measure();
  rows.push(...measured);
  process.stdout.write(`\n${name}\n${formatTable(measured)}\n`);
}
process.exit(exitCodeOf(rows));
