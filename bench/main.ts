// npm run bench: what the budgets promise, measured on this machine now. Ratios are to a bare baseline of the same minute.
import { availableParallelism } from "node:os";

import { type IdleFigures, measureClients } from "./clients/clients.ts";
import { measureGrants } from "./grants.ts";
import { measurePendingMemory } from "./pending-memory.ts";
import { measureReplay } from "./replay.ts";
import { measureRoundTrips } from "./round-trip/round-trip.ts";
import { formatTable, type Row } from "./table.ts";

const RUNS = 5;
const MAX_LATENCY_RATIO = 1.2;
const MIN_THROUGHPUT_RATIO = 0.6;
const MAX_BYTES_PER_PENDING = 4096;
const MAX_BYTES_LEFT = 20 * 1024 * 1024;
const MIN_EVENTS_PER_SECOND = 100_000;
const MAX_FIRST_PROMPT_MS = 50;
const MAX_GRANT_LOOKUP_MICROS = 1000;
const MAX_BYTES_PER_CLIENT = 60_000;
const MAX_TOLD_MS = 500;

const memory = await measurePendingMemory();
const trips = await measureRoundTrips(RUNS);
const replay = await measureReplay(RUNS);
const grants = await measureGrants();
const clients = await measureClients(RUNS);

const latencyRatio = trips.gatewayP50Ms / trips.baselineP50Ms;
const throughputRatio = trips.gatewayPerSecond / trips.baselinePerSecond;
const rows: readonly Row[] = [
  {
    what: "ask to answered to resumed, one after the other, p50",
    figure: `${trips.gatewayP50Ms.toFixed(2)} ms = ${latencyRatio.toFixed(2)} × baseline`,
    budget: `≤ ${MAX_LATENCY_RATIO} ×`,
    kept: latencyRatio <= MAX_LATENCY_RATIO,
  },
  {
    what: "round trips a second, 64 at once",
    figure: `${Math.round(trips.gatewayPerSecond)} = ${throughputRatio.toFixed(2)} × baseline`,
    budget: `≥ ${MIN_THROUGHPUT_RATIO} ×`,
    kept: throughputRatio >= MIN_THROUGHPUT_RATIO,
  },
  {
    what: `resident memory of a pending interaction, at ${memory.interactions}`,
    figure: `${Math.round(memory.bytesPerPending)} bytes`,
    budget: `≤ ${MAX_BYTES_PER_PENDING}`,
    kept: memory.bytesPerPending <= MAX_BYTES_PER_PENDING,
  },
  {
    what: "resident memory left after all were settled",
    figure: `${(memory.bytesLeft / 1024 / 1024).toFixed(1)} MB`,
    budget: `≤ ${MAX_BYTES_LEFT / 1024 / 1024} MB`,
    kept: memory.bytesLeft <= MAX_BYTES_LEFT,
  },
  {
    what: "replay of 100,000 events over SSE",
    figure: `${Math.round(replay.eventsPerSecond)} events/s`,
    budget: `≥ ${MIN_EVENTS_PER_SECOND}`,
    kept: replay.eventsPerSecond >= MIN_EVENTS_PER_SECOND,
  },
  {
    what: "reconnect to it until the waiting prompt is there",
    figure: `${replay.firstPromptMs.toFixed(1)} ms`,
    budget: `< ${MAX_FIRST_PROMPT_MS} ms`,
    kept: replay.firstPromptMs < MAX_FIRST_PROMPT_MS,
  },
  {
    what: `finding one of ${grants.grants} grants, p50 and p99`,
    figure: `${grants.hitMicros.toFixed(0)} µs = ${(grants.hitMicros / grants.bareMicros).toFixed(1)} × a bare SELECT, ${grants.p99Micros.toFixed(0)} µs`,
    budget: `< ${MAX_GRANT_LOOKUP_MICROS} µs`,
    kept: grants.p99Micros < MAX_GRANT_LOOKUP_MICROS,
  },
  idleRow("two event streams", clients.idle.sse),
  idleRow("a WebSocket", clients.idle.websocket),
  {
    what: `one answer until ${clients.clients} clients of its session are told, p95`,
    figure: `${clients.told.p95Ms.toFixed(0)} ms = ${(clients.told.p95Ms / clients.bareTold.p95Ms).toFixed(1)} × a bare fan-out (p50 ${clients.told.p50Ms.toFixed(0)}, max ${clients.told.maxMs.toFixed(0)} ms)`,
    budget: `< ${MAX_TOLD_MS} ms`,
    kept: clients.told.p95Ms < MAX_TOLD_MS,
  },
];

function idleRow(connection: string, { first, all }: IdleFigures): Row {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
  return {
    what: `resident memory of an idle client, on ${connection}`,
    figure: `${kilobytes(first.residentBytes)} of ${clients.clients}, ${kilobytes(all.residentBytes)} of twice as many (heap ${kilobytes(all.heapBytes)})`,
    budget: `≤ ${kilobytes(MAX_BYTES_PER_CLIENT)}`,
    kept: Math.max(first.residentBytes, all.residentBytes) <= MAX_BYTES_PER_CLIENT,
  };
}

process.stdout.write(
  `Medians of ${RUNS} runs; Node ${process.versions.node}, ${availableParallelism()} cores.\n${formatTable(rows)}\n`,
);
process.exit(0);
