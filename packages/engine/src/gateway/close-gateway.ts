import { discardAgent } from "../session/agent-session.ts";
import type { Core } from "./core.ts";

const REASON = "The gateway is stopping.";

/**
 * Ends what runs, in this order: streams, agents, waits, writes. Pending interactions stay pending in the store, where the
 * next start finds them. Resolves when all has ended, or after the timeout. `draining` must have aborted before.
 */
export async function closeGateway(core: Core, timeoutMs: number): Promise<void> {
  core.deadlines.stop();
  core.unclaimed.stop();
  core.parking.stop();
  core.availability.stop();
  core.overview.end();
  const running = [...core.sessions.all()];
  for (const live of running) {
    live.end("draining");
    // The agent ends before its waits do: it never hears that they ended, so it cannot go on without an answer.
    void discardAgent(core, live);
    live.turn?.requestStop(REASON);
  }
  core.waiters.withdrawAll(REASON);
  const ended = Promise.all(running.flatMap((live) => live.driver ?? []))
    .then(() => core.background.settled())
    .then(() => core.log.flush());
  await within(core, timeoutMs, ended);
  for (const live of running) live.turn?.force();
}

async function within(core: Core, timeoutMs: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const timeout = core.clock.sleep(timeoutMs, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work.finally(() => done.abort()), timeout]);
}
