/*
 * `kill -9` of the gateway, of agent hosts and of agents, alone and together, at random moments: while a session
 * starts, while a person is asked, and while the answer is on its way; also of gateways during their start. The
 * gateway, the hosts and Claude are the real programs; the model is scripted and counts its calls.
 *
 * Checked after each round against the acknowledgements, the log and the commands that ran: no process without an
 * owner is left after 2 s, and none called the model. A request is still the same request of the same tool call, held
 * by the same agent or parked, and orphaned only when the agent's own record lacks the call; it can be answered once,
 * and then runs once. An acknowledged approval ran once, or is reported as not run or as unknown. No message is lost
 * or doubled. In the end the gateway is asked to stop, and nothing is left.
 */
import { expect, test } from "vitest";

import { ClaudeCrowd } from "./support/claude-crowd.ts";
import { judgeFate, judgeLeft, judgeStopped, judgeUnattended } from "./support/kill-judge.ts";
import { runKills } from "./support/kill-round.ts";
import { randomRounds } from "./support/random-rounds.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 20);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
/** Each session starts Claude two or three times a round. */
const SESSIONS = process.env["CAMPAIGN_CASES"] === undefined ? 2 : 4;
/** New sessions begin after this many rounds: growing logs and conversations make each round slower. */
const ROUNDS_PER_SESSION = 10;

test.skipIf(process.platform !== "linux")(
  `[R-2] [R-4] [R-5] [R-18] after ${KILLS} kills no agent continues alone and nothing is lost`,
  { timeout: 120_000 + KILLS * 6000 },
  async ({ annotate }) => {
    const broken: string[] = [];
    const report = (problems: readonly string[]): void => {
      // Printed at once, because a campaign takes hours.
      for (const problem of problems) process.stderr.write(`after ${kills} kills: ${problem}\n`);
      broken.push(...problems);
    };
    let kills = 0;
    let rounds = 0;
    await using crowd = await ClaudeCrowd.open(SESSIONS);
    const options = {
      sessions: SESSIONS,
      seed: SEED,
      targets: ["gateway", "host", "agent"],
      moments: ["starting", "pending", "pending", "answered", "answered"],
    } as const;
    for (const round of randomRounds(options)) {
      const result = await runKills(crowd, round);
      report(await judgeUnattended(crowd, result));
      if (result.isGatewayDead) {
        for (const afterMs of round.killedStarts) await crowd.startAndKill(afterMs);
        await crowd.start();
      }
      const judged = await Promise.all(result.fates.map((fate) => judgeFate(crowd, fate)));
      report([...judged.flat(), ...(await judgeLeft(crowd))]);
      kills += result.kills + (result.isGatewayDead ? round.killedStarts.length : 0);
      rounds += 1;
      if (kills >= KILLS) break;
      if (rounds % ROUNDS_PER_SESSION === 0) await crowd.renewSessions();
    }
    report(await judgeStopped(crowd));
    await annotate(`${kills} kills in ${rounds} rounds, from the seed ${SEED}`, "cases");
    expect(broken).toEqual([]);
  },
);
