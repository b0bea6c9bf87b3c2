import type { RequestKind } from "./asking-adapter.ts";

/** What the bench asks of the process of a gateway, or of a bare baseline. */
export type GatewayRequest =
  /** Starts turns, each in a new session. Answered with `Sessions`. */
  | { readonly type: "open"; readonly sessions: number }
  /** Each of the open turns asks so often, one request after the other. Answered with `RunResult`. */
  | RunRequest
  /** Each of the open turns asks so many at once. Answered with `Held` once all are stored. */
  | { readonly type: "hold"; readonly kind: RequestKind; readonly each: number }
  /** Answered with `MemoryUse`. */
  | { readonly type: "memory" };

export interface RunRequest {
  readonly type: "run";
  readonly kind: RequestKind;
  readonly rounds: number;
  /** Only so many of the open turns. Default: all. */
  readonly agents?: number;
}

/** Where clients connect. */
export interface GatewayPlace {
  readonly port: number;
  readonly token: string;
  /** From the first line of the program until the gateway listens; its modules are loaded by then. */
  readonly startedInMs: number;
}

export interface Sessions {
  readonly sessionIds: readonly string[];
}

export interface RunResult {
  /** From asking until the answer is there, in milliseconds, each round. */
  readonly latenciesMs: readonly number[];
  readonly totalMs: number;
  /** CPU time of the process meanwhile, of all its threads. */
  readonly cpuMs: number;
}

export interface Held {
  readonly interactionIds: readonly string[];
}

/** What a process holds after its garbage was collected. */
export interface MemoryUse {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** On the heap and in buffers beside it. */
  readonly allBytes: number;
}

/** Runs the agents and measures on their side, where one clock sees both ends. */
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

/** Collects garbage until nothing more goes. Needs `--expose-gc`. */
export async function measureMemory(): Promise<MemoryUse> {
  for (let round = 0; round < 6; round += 1) {
    await globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed, allBytes: heapUsed + external };
}
