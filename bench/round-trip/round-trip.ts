import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { median } from "../table.ts";
import { type ClientOptions, startAnsweringClient } from "./client.ts";
import type { ReadyMessage, ResultMessage, RunRequest } from "./protocol.ts";

export interface RoundTripFigures {
  readonly gatewayP50Ms: number;
  readonly baselineP50Ms: number;
  readonly gatewayPerSecond: number;
  readonly baselinePerSecond: number;
}

const SEQUENTIAL: RunRequest = { agents: 1, rounds: 500 };
const PARALLEL: RunRequest = { agents: 64, rounds: 40 };
const WARM_UP_ROUNDS = 200;

/** Gateway and baseline in turns, within the same minute; the medians over all runs. */
export async function measureRoundTrips(runs: number): Promise<RoundTripFigures> {
  const sequential = { gateway: [] as number[], baseline: [] as number[] };
  const parallel = { gateway: [] as number[], baseline: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    sequential.baseline.push(median((await measureBaseline("single", SEQUENTIAL)).latenciesMs));
    sequential.gateway.push(median((await measureGateway(SEQUENTIAL)).latenciesMs));
    parallel.baseline.push(perSecond(await measureBaseline("group", PARALLEL)));
    parallel.gateway.push(perSecond(await measureGateway(PARALLEL)));
  }
  return {
    gatewayP50Ms: median(sequential.gateway),
    baselineP50Ms: median(sequential.baseline),
    gatewayPerSecond: median(parallel.gateway),
    baselinePerSecond: median(parallel.baseline),
  };
}

function perSecond({ latenciesMs, totalMs }: ResultMessage): number {
  return (latenciesMs.length / totalMs) * 1000;
}

function measureBaseline(mode: "single" | "group", request: RunRequest): Promise<ResultMessage> {
  return withFolder((folder) =>
    measure("baseline-process.ts", [join(folder, "baseline.db"), mode], request, {
      headers: {},
      answer: (frame) => {
        const { interactionId } = JSON.parse(frame.slice("data: ".length)) as {
          interactionId: string;
        };
        return { path: "/answer", body: JSON.stringify({ interactionId }) };
      },
    }),
  );
}

function measureGateway(request: RunRequest): Promise<ResultMessage> {
  const token = randomBytes(32).toString("base64url");
  return withFolder((folder) =>
    measure("gateway-process.ts", [folder, token, String(request.agents)], request, {
      headers: { authorization: `Bearer ${token}` },
      answer: answerApproval,
    }),
  );
}

interface RequestFrame {
  readonly type: string;
  readonly interaction?: { interactionId: string; approval: { digest: string } };
}

function answerApproval(frame: string): { path: string; body: string } | undefined {
  const { type, interaction } = JSON.parse(
    frame.slice(frame.indexOf("data: ") + 6),
  ) as RequestFrame;
  if (type !== "interaction_request" || !interaction) return undefined;
  return {
    path: `/api/interactions/${interaction.interactionId}/response`,
    body: JSON.stringify({ action: "approve", digest: interaction.approval.digest }),
  };
}

async function measure(
  program: string,
  args: readonly string[],
  request: RunRequest,
  client: Omit<ClientOptions, "port" | "streams">,
): Promise<ResultMessage> {
  const child = fork(join(import.meta.dirname, program), args);
  try {
    const [{ port, streams }] = (await once(child, "message")) as [ReadyMessage];
    using answering = startAnsweringClient({ ...client, port, streams });
    await answering.open;
    child.send({ ...request, rounds: Math.ceil(WARM_UP_ROUNDS / request.agents) });
    await once(child, "message");
    child.send(request);
    const [result] = (await once(child, "message")) as [ResultMessage];
    return result;
  } finally {
    child.kill("SIGKILL");
  }
}

async function withFolder<TResult>(run: (folder: string) => Promise<TResult>): Promise<TResult> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
