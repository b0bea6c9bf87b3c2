import type { ChildProcess } from "node:child_process";
import { join } from "node:path";

import { type RequestKind, toResponse } from "../support/asking-adapter.ts";
import type { GatewayPlace, RunResult, Sessions } from "../support/gateway-protocol.ts";
import { withGateway, withGatewayOn } from "../support/gateway.ts";
import { call, withFolder, withProcess } from "../support/processes.ts";
import { atLeast, atMost, median, type Row } from "../support/report.ts";
import { type ClientOptions, startAnsweringClient } from "./client.ts";
import { countFrames } from "./wal-frames.ts";

const RUNS = 5;
const KINDS: readonly RequestKind[] = ["approval", "form"];
const COLD_ROUNDS = 200;
/** Until both write-ahead logs have their full length, and the used code is compiled. */
const WARM_UP_ROUNDS = 1000;
const WARM_ROUNDS = 500;
const AT_ONCE = 64;
const WARM_UP_ROUNDS_AT_ONCE = 20;
const ROUNDS_AT_ONCE = 60;
const FRAMES_ROUNDS = 300;
const MAX_COLD_RATIO = 1.5;
const MAX_WARM_RATIO = 1.3;
const MIN_RATE_RATIO = 0.3;
const MAX_CPU_MS = 0.4;
const MAX_WAL_FRAMES = 9;

interface TripFigures {
  readonly coldMs: number;
  readonly warmMs: number;
  readonly perSecond: number;
  readonly cpuMs: number;
}

type Subject = "baseline" | RequestKind;

/**
 * From the request until the agent has the answer, for a bare baseline and for the gateway. They take turns, so that
 * other work of the machine affects both. Ratios are of medians over all runs.
 */
export async function measureRoundTrips(): Promise<Row[]> {
  const subjects: readonly Subject[] = ["baseline", ...KINDS];
  const runs = new Map<Subject, TripFigures[]>(subjects.map((subject) => [subject, []]));
  for (let run = 0; run < RUNS; run += 1) {
    for (const subject of subjects) runs.get(subject)?.push(await measureTrips(subject));
  }
  const figuresOf = (subject: Subject): TripFigures => mediansOf(runs.get(subject) ?? []);
  const rows: Row[] = [];
  for (const kind of KINDS) {
    rows.push(...tripRows(kind, figuresOf(kind), figuresOf("baseline")));
    rows.push(framesRow(kind, await countFramesOfTrip(kind)));
  }
  return rows;
}

function tripRows(kind: RequestKind, gateway: TripFigures, baseline: TripFigures): Row[] {
  const cold = gateway.coldMs / baseline.coldMs;
  const warm = gateway.warmMs / baseline.warmMs;
  const rate = gateway.perSecond / baseline.perSecond;
  const milliseconds = (figure: number, bare: number): string =>
    `${figure.toFixed(2)} ms = ${(figure / bare).toFixed(2)} × ${bare.toFixed(2)} ms`;
  return [
    {
      what: `${kind}, one after the other, first ${COLD_ROUNDS} of a new database, p50`,
      figure: milliseconds(gateway.coldMs, baseline.coldMs),
      budget: atMost(cold, MAX_COLD_RATIO, `${MAX_COLD_RATIO} ×`),
    },
    {
      what: `${kind}, one after the other, warmed up, p50`,
      figure: milliseconds(gateway.warmMs, baseline.warmMs),
      budget: atMost(warm, MAX_WARM_RATIO, `${MAX_WARM_RATIO} ×`),
    },
    {
      what: `${kind}, ${AT_ONCE} at once, trips a second`,
      figure: `${Math.round(gateway.perSecond)} = ${rate.toFixed(2)} × ${Math.round(baseline.perSecond)}`,
      budget: atLeast(rate, MIN_RATE_RATIO, `${MIN_RATE_RATIO} ×`),
    },
    {
      what: `${kind}, ${AT_ONCE} at once, CPU time a trip`,
      figure: `${gateway.cpuMs.toFixed(2)} ms (baseline ${baseline.cpuMs.toFixed(2)})`,
      budget: atMost(gateway.cpuMs, MAX_CPU_MS, `${MAX_CPU_MS} ms`),
    },
  ];
}

function framesRow(kind: RequestKind, frames: number): Row {
  return {
    what: `${kind}, one after the other, pages written to the log a trip`,
    figure: frames.toFixed(1),
    budget: atMost(frames, MAX_WAL_FRAMES, String(MAX_WAL_FRAMES)),
  };
}

async function measureTrips(subject: Subject): Promise<TripFigures> {
  const sequential = await withSubject(subject, { mode: "single", agents: 1 }, async (run) => ({
    cold: await run(COLD_ROUNDS),
    warmUp: await run(WARM_UP_ROUNDS),
    warm: await run(WARM_ROUNDS),
  }));
  const atOnce = await withSubject(subject, { mode: "group", agents: AT_ONCE }, async (run) => {
    await run(WARM_UP_ROUNDS_AT_ONCE);
    return run(ROUNDS_AT_ONCE);
  });
  const trips = atOnce.latenciesMs.length;
  return {
    coldMs: median(sequential.cold.latenciesMs),
    warmMs: median(sequential.warm.latenciesMs),
    perSecond: (trips / atOnce.totalMs) * 1000,
    cpuMs: atOnce.cpuMs / trips,
  };
}

function mediansOf(runs: readonly TripFigures[]): TripFigures {
  const of = (name: keyof TripFigures): number => median(runs.map((run) => run[name]));
  return {
    coldMs: of("coldMs"),
    warmMs: of("warmMs"),
    perSecond: of("perSecond"),
    cpuMs: of("cpuMs"),
  };
}

function countFramesOfTrip(kind: RequestKind): Promise<number> {
  return withFolder((folder) =>
    withGatewayOn(folder, (gateway, place) =>
      withAnswers(gateway, place, { kind, agents: 1 }, async (run) => {
        await run(COLD_ROUNDS);
        return countFrames(folder, FRAMES_ROUNDS, () => run(FRAMES_ROUNDS));
      }),
    ),
  );
}

/** Runs this many rounds with this many of the agents. Default: all agents. */
export type Run = (rounds: number, agents?: number) => Promise<RunResult>;

interface Setting {
  /** How the baseline commits. */
  readonly mode: "single" | "group";
  readonly agents: number;
}

function withSubject<TResult>(
  subject: Subject,
  { mode, agents }: Setting,
  use: (run: Run) => Promise<TResult>,
): Promise<TResult> {
  if (subject !== "baseline") {
    return withGateway((gateway, place) =>
      withAnswers(gateway, place, { kind: subject, agents }, use),
    );
  }
  const program = join(import.meta.dirname, "baseline-process.ts");
  return withFolder((folder) =>
    withProcess(program, [join(folder, "baseline.db"), mode], (child, place) =>
      withAnswers(child, place as GatewayPlace, { kind: "baseline", agents }, use),
    ),
  );
}

/** Opens the turns, and answers all requests while `use` runs. */
export async function withAnswers<TResult>(
  server: ChildProcess,
  { port, token }: GatewayPlace,
  { kind, agents }: { readonly kind: Subject; readonly agents: number },
  use: (run: Run) => Promise<TResult>,
): Promise<TResult> {
  const { sessionIds = [] } = await call<Partial<Sessions>>(server, {
    type: "open",
    sessions: agents,
  });
  const client: ClientOptions = {
    port,
    headers: { authorization: `Bearer ${token}` },
    streams: streamsOf(kind, sessionIds),
    answer: kind === "baseline" ? answerBaseline : answerGateway,
  };
  using answering = startAnsweringClient(client);
  await answering.open;
  return await use((rounds, some) =>
    call<RunResult>(server, { type: "run", kind, rounds, ...(some && { agents: some }) }),
  );
}

/** Approvals are answered from the streams of their sessions; forms from the overview, as an inbox does. */
function streamsOf(kind: Subject, sessionIds: readonly string[]): string[] {
  switch (kind) {
    case "baseline":
      return ["/"];
    case "form":
      return ["/api/events"];
    case "approval":
      return sessionIds.map((sessionId) => `/api/sessions/${sessionId}/events`);
  }
}

function answerBaseline(frame: string): { path: string; body: string } {
  const { interactionId } = JSON.parse(frame.slice("data: ".length)) as { interactionId: string };
  return { path: "/answer", body: JSON.stringify({ interactionId }) };
}

interface RequestFrame {
  readonly type: string;
  readonly interaction?: {
    readonly interactionId: string;
    readonly status: string;
    readonly kind: RequestKind;
    readonly approval?: { readonly digest: string };
  };
}

function answerGateway(frame: string): { path: string; body: string } | undefined {
  const { type, interaction } = JSON.parse(
    frame.slice(frame.indexOf("data: ") + 6),
  ) as RequestFrame;
  const isNews = type === "interaction_request" || type === "interaction_changed";
  if (!isNews || interaction?.status !== "pending") return undefined;
  return {
    path: `/api/interactions/${interaction.interactionId}/response`,
    body: JSON.stringify(toResponse(interaction.kind, interaction.approval?.digest)),
  };
}
