// Answers that come after a restart: each is delivered to its session's agent in a separate turn.
import { createSystemClock, createSystemIds, openGateway } from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { openSqliteStore, type SqliteStore } from "@holdpoint/store-sqlite";

import { fillHistory } from "./start/fill-history.ts";
import { askingAdapter, BENCH_LIMITS, toResponse } from "./support/asking-adapter.ts";
import { withFolder } from "./support/processes.ts";
import { atMost, median, type Row } from "./support/report.ts";

const COUNTS = [250, 500, 1000];
const RUNS = 3;
/**
 * The growth of the time that is allowed for four times as many answers; part of it is the machine's normal
 * variation.
 */
const MAX_GROWTH = 5;
const CALLER: Caller = { principal: "person", person: "bench", client: "bench" };

/**
 * All answers of one session, given at once. Measured in CPU time, which does not depend on other work of the
 * machine.
 */
export async function measureLateAnswers(): Promise<Row[]> {
  // The first round includes the one-time cost of any process.
  await measure(COUNTS[0] ?? 0);
  const runs: number[][] = COUNTS.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [index, count] of COUNTS.entries()) runs[index]?.push(await measure(count));
  }
  const durations = runs.map(median);
  const growth = (durations.at(-1) ?? Number.NaN) / (durations[0] ?? Number.NaN);
  const figures = COUNTS.map((count, index) => `${count}: ${durations[index]?.toFixed(0)} ms`);
  return [
    {
      what: "CPU time of late answers in one session until all are delivered",
      figure: `${figures.join(", ")}; ${growth.toFixed(1)} × for 4 × as many`,
      budget: atMost(growth, MAX_GROWTH, `${MAX_GROWTH} ×`),
    },
  ];
}

function measure(count: number): Promise<number> {
  return withFolder(async (dataDir) => {
    await fillHistory(dataDir, { settled: 0, pending: count, perSession: count });
    await using store = await openSqliteStore({ dataDir });
    await using gateway = await openGateway({
      store,
      clock: createSystemClock(),
      ids: createSystemIds(),
      agents: new Map([["asking", askingAdapter(async () => undefined)]]),
      defaultCwd: "/",
      limits: BENCH_LIMITS,
    });
    const { items } = await store.listInteractions({ statuses: ["orphaned"], limit: count });
    const before = process.cpuUsage();
    await Promise.all(
      items.map(({ interaction: { interactionId, approval } }) =>
        gateway.respond(CALLER, interactionId, toResponse("approval", approval?.digest)),
      ),
    );
    await delivered(store);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

/** Looks for one that is not delivered yet; listing the delivered ones would be part of the measurement. */
async function delivered(store: SqliteStore): Promise<void> {
  const query = { statuses: ["orphaned", "answered"], limit: 1 } as const;
  while ((await store.listInteractions(query)).items.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
