import type { RequestKind } from "./asking-adapter.ts";

/** Requests of the bench to the process of a gateway, or of a bare baseline. */
export type GatewayRequest =
  /** Starts turns, each in a new session. Answered with `Sessions`. */
  | { readonly type: "open"; readonly sessions: number }
  /** Each of the open turns asks this many times, one request after the other. Answered with `RunResult`. */
  | RunRequest
  /** Each of the open turns asks this many times at once. Answered with `Held` once all requests are stored. */
  | { readonly type: "hold"; readonly kind: RequestKind; readonly each: number }
  /** Answered with `MemoryUse`. */
  | { readonly type: "memory" };

export interface RunRequest {
  readonly type: "run";
  readonly kind: RequestKind;
  readonly rounds: number;
  /** The number of open turns to use. Default: all. */
  readonly agents?: number;
}

/** The address for clients. */
export interface GatewayPlace {
  readonly port: number;
  readonly token: string;
  /** From the first line of the program, with its modules loaded, until the gateway listens. */
  readonly startedInMs: number;
}

export interface Sessions {
  readonly sessionIds: readonly string[];
}

export interface RunResult {
  /** From the request until the answer arrives, in milliseconds, for each round. */
  readonly latenciesMs: readonly number[];
  readonly totalMs: number;
  /** CPU time of the process during the run, over all of its threads. */
  readonly cpuMs: number;
}

export interface Held {
  readonly interactionIds: readonly string[];
}

/** The memory of a process after a garbage collection. */
export interface MemoryUse {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** On the heap and in external buffers. */
  readonly allBytes: number;
}

/** Runs the agents and measures on their side, where one clock covers both ends. */
export async function measureAgents(
  agents: number,
  rounds: number,
  ask: (agent: number, round: number) => Promise<void>,
): Promise<RunResult> {
  const latenciesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      for (let round = 0; round < rounds; round += 1) {
        const askedAt = performance.now();
        await ask(agent, round);
        latenciesMs.push(performance.now() - askedAt);
      }
    }),
  );
  const totalMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { latenciesMs, totalMs, cpuMs: (user + system) / 1000 };
}

/** Collects garbage until nothing more is released. Needs `--expose-gc`. */
export async function measureMemory(): Promise<MemoryUse> {
  for (let round = 0; round < 6; round += 1) {
    await globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed, allBytes: heapUsed + external };
}
