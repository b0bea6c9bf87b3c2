// npm run bench:cluster -- [trips] [told] [kills] [--clients N] [--pending N] [--kills N] [--every SECONDS]: three
// nodes on a dedicated Postgres. Measures the cost of a trip relative to a bare floor on the same Postgres, how soon
// clients of all nodes are notified, and the state after nodes were killed. Exits with 1 when a budget is missed, or
// when anything is lost, written twice or out of order, and with 2 for an unknown part.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

import { buildGateway } from "../scripts/build-gateway.ts";
import { measureKills } from "./cluster/kills.ts";
import { ClusterScene } from "./cluster/scene.ts";
import { measureTold } from "./cluster/told.ts";
import { measureTrips } from "./cluster/trips.ts";
import { exitCodeOf, formatTable, type Row } from "./support/report.ts";

/** In addition to the time of the kills. */
const LIMIT_MS = 10 * 60_000;
const MS_PER_ASK = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: "string", default: "1000" },
    pending: { type: "string", default: "10000" },
    kills: { type: "string", default: "60" },
    every: { type: "string", default: "10" },
  },
});
const pending = Number(values.pending);
const kills = Number(values.kills);
const everyMs = Number(values.every) * 1000;
const PARTS: Readonly<Record<string, (scene: ClusterScene) => Promise<Row[]>>> = {
  trips: measureTrips,
  told: (scene) => measureTold(scene, Number(values.clients)),
  kills: (scene) => measureKills(scene, { pending, kills, everyMs }),
};
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}\n`,
  );
  process.exit(2);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
buildGateway();
print(`Node ${process.versions.node}, ${availableParallelism()} cores`);
const rows: Row[] = [];

async function measure(scene: ClusterScene): Promise<void> {
  await scene.startNodes();
  for (const [name, part] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const measured = await part(scene);
    rows.push(...measured);
    print(`\n${name}\n${formatTable(measured)}`);
  }
}

/** Ends the bench early, so that none of its processes is left. */
const ended = Promise.withResolvers<never>();
const limitMs = LIMIT_MS + kills * everyMs + pending * MS_PER_ASK;
setTimeout(() => ended.reject(new Error("The bench does not end.")), limitMs).unref();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => ended.reject(new Error(`${name}: the bench ends.`)));
}

let problem: unknown;
const scene = await ClusterScene.open();
try {
  await Promise.race([measure(scene), ended.promise]);
} catch (error: unknown) {
  problem = error ?? "unknown";
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
} finally {
  await scene[Symbol.asyncDispose]();
}
process.exit(problem === undefined ? exitCodeOf(rows) : 1);
