import type { ChildProcess } from "node:child_process";
import { join } from "node:path";

import { toResponse } from "../support/asking-adapter.ts";
import type { GatewayPlace, Held, MemoryUse, Sessions } from "../support/gateway-protocol.ts";
import { withGateway } from "../support/gateway.ts";
import { call, withProcess } from "../support/processes.ts";
import { type Budget, median, percentile, type Row } from "../support/report.ts";
import type { ClientTransport, Place, Texts, Told } from "./crowd-protocol.ts";

const ROUNDS = 5;
const MAX_BYTES_PER_CLIENT = 60_000;
const MAX_TOLD_MS = 500;
const CLIENTS = 1000;
/** This many clients come first and are not counted: they include the one-time cost of any process. */
const WARM_UP_CLIENTS = 200;

/** The memory that an idle client takes in the gateway's process. */
interface IdleFigures {
  /** With this many clients. */
  readonly first: ClientMemory;
  /** With twice as many: a higher figure means that each further client costs more than the one before. */
  readonly all: ClientMemory;
}

interface ClientMemory {
  readonly residentBytes: number;
  readonly heapBytes: number;
}

/** Medians over the rounds; `maxMs` is the maximum of all. */
interface Percentiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** The cost of one more client, and how long an answer takes to reach every client of its session. */
export async function measureClients(): Promise<Row[]> {
  const sse = await measureIdle("sse");
  const websocket = await measureIdle("websocket");
  const { told, bareTold } = await measureTold();
  const ratio = told.p95Ms / bareTold.p95Ms;
  return [
    idleRow("two event streams", sse),
    idleRow("a WebSocket", websocket),
    {
      what: `one answer until ${CLIENTS} clients of its session are told, p95`,
      figure: `${told.p95Ms.toFixed(0)} ms = ${ratio.toFixed(1)} × a bare fan-out (p50 ${told.p50Ms.toFixed(0)}, max ${told.maxMs.toFixed(0)} ms)`,
      budget: { text: `< ${MAX_TOLD_MS} ms`, kept: told.p95Ms < MAX_TOLD_MS },
    },
  ];
}

function idleRow(connection: string, { first, all }: IdleFigures): Row {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
  return {
    what: `resident memory of an idle client, on ${connection}`,
    figure: `${kilobytes(first.residentBytes)} of ${CLIENTS}, ${kilobytes(all.residentBytes)} of twice as many (heap ${kilobytes(all.heapBytes)})`,
    budget: idleBudget(Math.max(first.residentBytes, all.residentBytes)),
  };
}

function idleBudget(bytes: number): Budget {
  return { text: `≤ ${MAX_BYTES_PER_CLIENT / 1000} kB`, kept: bytes <= MAX_BYTES_PER_CLIENT };
}

function measureIdle(transport: ClientTransport): Promise<IdleFigures> {
  return withPlace(async (gateway, place) =>
    withCrowd(async (crowd) => {
      await call(crowd, { type: "join", place, transport, count: WARM_UP_CLIENTS });
      const before = await call<MemoryUse>(gateway, { type: "memory" });
      await call(crowd, { type: "join", place, transport, count: CLIENTS });
      const first = each(before, await call<MemoryUse>(gateway, { type: "memory" }), CLIENTS);
      await call(crowd, { type: "join", place, transport, count: CLIENTS });
      const all = each(before, await call<MemoryUse>(gateway, { type: "memory" }), 2 * CLIENTS);
      return { first, all };
    }),
  );
}

function each(before: MemoryUse, after: MemoryUse, clients: number): ClientMemory {
  return {
    residentBytes: (after.residentBytes - before.residentBytes) / clients,
    heapBytes: (after.allBytes - before.allBytes) / clients,
  };
}

/** Half of the clients are on event streams, half on sockets; gateway and baseline take turns. */
async function measureTold(): Promise<{ told: Percentiles; bareTold: Percentiles }> {
  const told: Percentiles[] = [];
  const bareTold: Percentiles[] = [];
  await withPlace((gateway, place) =>
    withCrowd((crowd) =>
      withBaseline((barePlace) =>
        withCrowd(async (bareCrowd) => {
          await joinBoth(crowd, place);
          await joinBoth(bareCrowd, barePlace);
          for (let round = 0; round <= ROUNDS; round += 1) {
            const hold = { type: "hold", kind: "form", each: 1 };
            const { interactionIds } = await call<Held>(gateway, hold);
            const path = `/api/interactions/${interactionIds[0]}/response`;
            const answer = { type: "answer", place, path, body: toResponse("form") };
            const result = await call<Told>(crowd, answer);
            const bare = await tellBare(bareCrowd, barePlace, result.texts);
            // The first round warms both up.
            if (round === 0) continue;
            told.push(percentiles(result.latenciesMs));
            bareTold.push(percentiles(bare.latenciesMs));
          }
        }),
      ),
    ),
  );
  return { told: overRounds(told), bareTold: overRounds(bareTold) };
}

async function joinBoth(crowd: ChildProcess, place: Place): Promise<void> {
  await call(crowd, { type: "join", place, transport: "sse", count: CLIENTS / 2 });
  await call(crowd, { type: "join", place, transport: "websocket", count: CLIENTS / 2 });
}

function tellBare(crowd: ChildProcess, place: Place, texts: Texts): Promise<Told> {
  return call<Told>(crowd, { type: "answer", place, path: "/", body: texts });
}

function percentiles(latenciesMs: readonly number[]): Percentiles {
  const at = (share: number): number => percentile(latenciesMs, share);
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

function overRounds(rounds: readonly Percentiles[]): Percentiles {
  return {
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
    maxMs: Math.max(...rounds.map(({ maxMs }) => maxMs)),
  };
}

/** Runs a gateway with one session whose agent is running. */
function withPlace<TResult>(
  use: (gateway: ChildProcess, place: Place) => Promise<TResult>,
): Promise<TResult> {
  return withGateway(async (gateway, { port, token }) => {
    const { sessionIds } = await call<Sessions>(gateway, { type: "open", sessions: 1 });
    return use(gateway, { port, token, sessionId: sessionIds[0] ?? "" });
  });
}

function withBaseline<TResult>(use: (place: Place) => Promise<TResult>): Promise<TResult> {
  const program = join(import.meta.dirname, "baseline-process.ts");
  return withProcess(program, [], (_, ready) => {
    const { port, token } = ready as GatewayPlace;
    return use({ port, token, sessionId: "none" });
  });
}

function withCrowd<TResult>(use: (crowd: ChildProcess) => Promise<TResult>): Promise<TResult> {
  return withProcess(join(import.meta.dirname, "crowd-process.ts"), [], use);
}
