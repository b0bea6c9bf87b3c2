import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { median } from "../table.ts";
import {
  type Asked,
  call,
  type ClientTransport,
  type MemoryUse,
  type Place,
  type Texts,
  type Told,
} from "./protocol.ts";

const CLIENTS = 1000;
/** So many come first and do not count: they pay for what any process needs once. */
const WARM_UP_CLIENTS = 200;
const ANSWER = {
  action: "submit",
  values: { street: "1 Main Street", city: "Bern", express: true },
};

export interface ClientFigures {
  readonly clients: number;
  readonly idle: Readonly<Record<ClientTransport, IdleFigures>>;
  readonly told: Percentiles;
  readonly bareTold: Percentiles;
}

/** What an idle client holds of the gateway's process. */
export interface IdleFigures {
  /** Of so many clients. */
  readonly first: MemoryUse;
  /** Of twice as many: no more, or each costs more than the one before. */
  readonly all: MemoryUse;
}

/** Medians over the rounds; `maxMs` is the worst of all. */
export interface Percentiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** What one more client costs, and how long an answer takes to reach everybody who looks at its session. */
export async function measureClients(rounds: number): Promise<ClientFigures> {
  const idle = {
    sse: await measureIdle("sse"),
    websocket: await measureIdle("websocket"),
  };
  return { clients: CLIENTS, idle, ...(await measureTold(rounds)) };
}

function measureIdle(transport: ClientTransport): Promise<IdleFigures> {
  return withGateway(async (gateway, place) =>
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

function each(before: MemoryUse, after: MemoryUse, clients: number): MemoryUse {
  return {
    residentBytes: (after.residentBytes - before.residentBytes) / clients,
    heapBytes: (after.heapBytes - before.heapBytes) / clients,
  };
}

/** Half of the clients on event streams, half on sockets; gateway and baseline take turns. */
async function measureTold(rounds: number): Promise<Pick<ClientFigures, "told" | "bareTold">> {
  const told: Percentiles[] = [];
  const bareTold: Percentiles[] = [];
  await withGateway((gateway, place) =>
    withCrowd((crowd) =>
      withServer("baseline-process.ts", [], (_, barePlace) =>
        withCrowd(async (bareCrowd) => {
          await joinBoth(crowd, place);
          await joinBoth(bareCrowd, barePlace);
          for (let round = 0; round <= rounds; round += 1) {
            const { interactionId } = await call<Asked>(gateway, { type: "ask" });
            const path = `/api/interactions/${interactionId}/response`;
            const result = await call<Told>(crowd, { type: "answer", place, path, body: ANSWER });
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
  const sorted = latenciesMs.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

function overRounds(rounds: readonly Percentiles[]): Percentiles {
  return {
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
    maxMs: Math.max(...rounds.map(({ maxMs }) => maxMs)),
  };
}

async function withGateway<TResult>(
  use: (gateway: ChildProcess, place: Place) => Promise<TResult>,
): Promise<TResult> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-clients-"));
  try {
    const token = randomBytes(32).toString("base64url");
    return await withServer("gateway-process.ts", [folder, token], use);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withCrowd<TResult>(use: (crowd: ChildProcess) => Promise<TResult>): Promise<TResult> {
  return withProcess("crowd-process.ts", [], use);
}

function withServer<TResult>(
  program: string,
  args: readonly string[],
  use: (server: ChildProcess, place: Place) => Promise<TResult>,
): Promise<TResult> {
  return withProcess(program, args, (server, ready) => use(server, ready as Place));
}

async function withProcess<TResult>(
  program: string,
  args: readonly string[],
  use: (child: ChildProcess, ready: unknown) => Promise<TResult>,
): Promise<TResult> {
  const child = fork(join(import.meta.dirname, program), args, { execArgv: ["--expose-gc"] });
  try {
    const [ready] = (await once(child, "message")) as [unknown];
    return await use(child, ready);
  } finally {
    child.kill("SIGKILL");
  }
}
