import type { ChildProcess } from "node:child_process";
import { join } from "node:path";

import { Api } from "../../e2e/support/api.ts";
import { type Run, withAnswers } from "../round-trip/round-trip.ts";
import type { GatewayPlace } from "../support/gateway-protocol.ts";
import { withGatewayOn } from "../support/gateway.ts";
import { withFolder, withProcess } from "../support/processes.ts";
import { atLeast, atMost, median, type Row } from "../support/report.ts";
import type { ClusterScene } from "./scene.ts";

const TURNS = 8;
const WARM_UP_ROUNDS = 200;
const ROUNDS = 50;
const AT_ONCE = 64;
const WARM_UP_ROUNDS_AT_ONCE = 60;
const ROUNDS_AT_ONCE = 10;
const PROGRAMS = 16;
const PROGRAM_WARM_UP = 100;
const PROGRAM_TRIPS = 200;
const MAX_RATIO = 1.5;
const MIN_RATE_RATIO = 0.5;
const MAX_STANDBY_RATIO = 2;
const FLOOR = join(import.meta.dirname, "floor-process.ts");

/** A question that a program asks and a person answers. */
export const ASK = {
  kind: "question",
  label: "bench",
  prompt: "Which one?",
  questions: [{ question: "Which one?", options: ["The red one", "The blue one"] }],
} as const;
const ANSWER = { action: "submit", reply: "The red one" } as const;

/**
 * The duration of a trip, from asking to the answer, relative to a bare floor on the same Postgres; the two take
 * turns.
 */
export async function measureTrips(scene: ClusterScene): Promise<Row[]> {
  return [...(await measureAgents(scene)), ...(await measurePrograms(scene))];
}

/**
 * The same as `npm run bench -- round-trip`, with the store in Postgres: an agent's approval, from asking until it
 * has the answer. Many trips at once come first: the code is warm after some thousand trips.
 */
function measureAgents(scene: ClusterScene): Promise<Row[]> {
  return withBoth(scene, async (runs) => {
    const times: Both<number[]> = { gateway: [], floor: [] };
    const rates: Both<number[]> = { gateway: [], floor: [] };
    for (const run of Object.values(runs)) await run(WARM_UP_ROUNDS_AT_ONCE);
    for (let turn = 0; turn < TURNS; turn += 1) {
      rates.floor.push(rateOf(await runs.floor(ROUNDS_AT_ONCE)));
      rates.gateway.push(rateOf(await runs.gateway(ROUNDS_AT_ONCE)));
    }
    for (const run of Object.values(runs)) await run(WARM_UP_ROUNDS, 1);
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.floor.push(...(await runs.floor(ROUNDS, 1)).latenciesMs);
      times.gateway.push(...(await runs.gateway(ROUNDS, 1)).latenciesMs);
    }
    const [gateway, floor] = [median(rates.gateway), median(rates.floor)];
    const rate = gateway / floor;
    const single = { gateway: median(times.gateway), floor: median(times.floor) };
    return [
      tripRow("an agent's approval and its answer on one node, p50", single, MAX_RATIO),
      {
        what: `the same, ${AT_ONCE} at once, trips a second`,
        figure: `${gateway.toFixed(0)} = ${rate.toFixed(2)} × ${floor.toFixed(0)}`,
        budget: atLeast(rate, MIN_RATE_RATIO, `${MIN_RATE_RATIO} ×`),
      },
    ];
  });
}

interface Both<TValue> {
  readonly gateway: TValue;
  readonly floor: TValue;
}

function withBoth<TResult>(
  scene: ClusterScene,
  use: (runs: Both<Run>) => Promise<TResult>,
): Promise<TResult> {
  return withFolder(async (folder) => {
    const database = await scene.createDatabase("trips");
    const agents = AT_ONCE;
    const withFloor = (gateway: Run): Promise<TResult> =>
      withProcess(FLOOR, [database], (child, place) =>
        withAnswers(child, place as GatewayPlace, { kind: "baseline", agents }, (floor) =>
          use({ gateway, floor }),
        ),
      );
    const answered = (child: ChildProcess, place: GatewayPlace): Promise<TResult> =>
      withAnswers(child, place, { kind: "approval", agents }, withFloor);
    return withGatewayOn(folder, answered, database);
  });
}

function rateOf({ latenciesMs, totalMs }: Awaited<ReturnType<Run>>): number {
  return (latenciesMs.length / totalMs) * 1000;
}

type Trip = (index: number) => Promise<void>;

/** A program asks over HTTP at the working node; a person answers there, or at a standby. */
async function measurePrograms(scene: ClusterScene): Promise<Row[]> {
  const [working, standby = ""] = await scene.urlsInOrder();
  const person = await scene.signIn();
  const programs: Api[] = [];
  while (programs.length < PROGRAMS) {
    const { token } = await person.createAgentToken({ label: `Program ${programs.length}` });
    programs.push(new Api(working, { token }));
  }
  const via = (url: string): Trip => {
    const answerer = new Api(url);
    return async (index) => {
      const program = programs[index % PROGRAMS]!;
      const asked = await program.call<{ interactionId: string }>("POST", "/asks", ASK);
      if (asked.status !== 201) throw new Error(`An ask got ${asked.status}.`);
      const answer = await answerer.respond(asked.body.interactionId, ANSWER);
      if (answer.status !== 200) throw new Error(`An answer got ${answer.status}.`);
    };
  };
  const database = await scene.createDatabase("trips_programs");
  const taken = await withProcess(FLOOR, [database], (_child, place) => {
    const floor = bareTrip(place as GatewayPlace);
    return takeTurns({ floor, here: via(working), there: via(standby) });
  });
  const { floor, here, there } = taken;
  const standbyRow = tripRow(
    "the same, answered at a node that stands by, p50",
    { gateway: there, floor },
    MAX_STANDBY_RATIO,
  );
  const besideHere = `${(there / here).toFixed(2)} × the node that works`;
  return [
    tripRow("a program's ask and its answer on one node, p50", { gateway: here, floor }),
    { ...standbyRow, figure: `${standbyRow.figure}, ${besideHere}` },
  ];
}

function bareTrip({ port }: GatewayPlace): Trip {
  const post = async (path: string, body: object): Promise<{ interactionId: string }> => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return (await answer.json()) as { interactionId: string };
  };
  return async (index) => {
    const { interactionId } = await post(`/ask/ses_${index % PROGRAMS}`, ASK);
    await post("/answer", { ...ANSWER, interactionId });
  };
}

/** Alternates between all of them, so that other work of the machine affects all. Medians in milliseconds. */
async function takeTurns<TName extends string>(
  trips: Readonly<Record<TName, Trip>>,
): Promise<Record<TName, number>> {
  const names = Object.keys(trips) as TName[];
  const times = new Map<TName, number[]>(names.map((name) => [name, []]));
  let index = 0;
  for (let trip = 0; trip < PROGRAM_WARM_UP + PROGRAM_TRIPS; trip += 1) {
    for (const name of names) {
      index += 1;
      const startedAt = performance.now();
      await trips[name](index);
      if (trip >= PROGRAM_WARM_UP) times.get(name)!.push(performance.now() - startedAt);
    }
  }
  const medians = names.map((name) => [name, median(times.get(name)!)] as const);
  return Object.fromEntries(medians) as Record<TName, number>;
}

/** A row without a budget is only shown. */
function tripRow(what: string, { gateway, floor }: Both<number>, limit?: number): Row {
  const ratio = gateway / floor;
  return {
    what,
    figure: `${gateway.toFixed(2)} ms = ${ratio.toFixed(2)} × ${floor.toFixed(2)} ms`,
    ...(limit !== undefined && { budget: atMost(ratio, limit, `${limit} ×`) }),
  };
}
