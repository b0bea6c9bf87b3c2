import { createSeededRandom } from "@holdpoint/engine/testing";

import type { KillRound, KillTarget, Moment } from "./kill-round.ts";

export interface RoundsOptions {
  readonly sessions: number;
  readonly seed: number;
  /** The processes that may die. */
  readonly targets: readonly KillTarget[];
  /** The possible states of a session at that time. */
  readonly moments: readonly Moment[];
}

/** The probability of each death in a round. */
const SHARES: Readonly<Record<KillTarget, number>> = { gateway: 0.85, host: 0.6, agent: 0.4 };
const WITHIN_MS = 350;
const MOST_KILLED_STARTS = 6;
const START_MS = 500;

/** Endless rounds; the same seed gives the same rounds. */
export function* randomRounds(options: RoundsOptions): Generator<KillRound> {
  const random = createSeededRandom(options.seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const dies = (target: KillTarget): boolean =>
    random() < SHARES[target] && options.targets.includes(target);
  const kill = (target: KillTarget, session: number) => ({
    target,
    session,
    afterMs: below(WITHIN_MS),
  });
  for (let number = 0; ; number += 1) {
    const sessions = Array.from({ length: options.sessions }, () => ({
      moment: options.moments[below(options.moments.length)]!,
      actsAfterMs: below(WITHIN_MS),
    }));
    const parts = sessions.flatMap((_, session) =>
      (["host", "agent"] as const).filter(dies).map((target) => kill(target, session)),
    );
    const isGatewayKilled = dies("gateway");
    yield {
      number,
      sessions,
      kills: isGatewayKilled ? [...parts, kill("gateway", 0)] : parts,
      killedStarts: isGatewayKilled
        ? Array.from({ length: below(MOST_KILLED_STARTS + 1) }, () => 20 + below(START_MS))
        : [],
    };
  }
}
