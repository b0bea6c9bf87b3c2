/** What the bench tells a server process, and what it hears back. */
export interface RunRequest {
  /** How many agents ask at once. */
  readonly agents: number;
  /** How often each of them asks, one after the other. */
  readonly rounds: number;
}

export interface ReadyMessage {
  readonly type: "ready";
  readonly port: number;
  /** Paths of the event streams that show what is asked. */
  readonly streams: readonly string[];
}

export interface ResultMessage {
  readonly type: "result";
  /** From asking to having the answer, in milliseconds, each round. */
  readonly latenciesMs: readonly number[];
  readonly totalMs: number;
}

/** Runs the agents and measures on their side, where one clock sees both ends. */
export async function measureAgents(
  { agents, rounds }: RunRequest,
  ask: (agent: number, round: number) => Promise<void>,
): Promise<ResultMessage> {
  const latenciesMs: number[] = [];
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
  return { type: "result", latenciesMs, totalMs: performance.now() - startedAt };
}

export function tell(message: ReadyMessage | ResultMessage): void {
  process.send?.(message);
}
