import { discardAgent } from "../session/agent-session.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { parkTurn } from "../turn/park-turn.ts";
import type { Core } from "./core.ts";

const REASON = "The gateway is stopping.";
/** How long an agent without a host may take to confirm its answers. */
const TOLD_LIMIT_MS = 1000;

/**
 * Shuts down in this order: streams, agents, waits, writes. A waiting agent is parked or, if that is not possible, left
 * to its host for the next gateway. An agent that has not confirmed an answer is left to its host as well. Pending
 * interactions stay pending in the store, where the next start finds them. Resolves when everything has ended, or after
 * the timeout. `draining` must already be aborted.
 */
export async function closeGateway(core: Core, timeoutMs: number): Promise<void> {
  core.deadlines.stop();
  core.leaving.stop();
  core.modeEnds.stop();
  core.handingBack.stop();
  core.unclaimed.stop();
  core.parking.stop();
  core.undoWindows.stop();
  core.availability.stop();
  core.overview.end();
  const running = [...core.sessions.all()];
  for (const live of running) live.end("draining");
  const waiting = running.filter((live) => isWaiting(core, live));
  for (const live of running) if (!waiting.includes(live)) endAgent(core, live);
  if (waiting.length > 0) {
    // Only half of the time, because agents that cannot be parked or left still have to be ended.
    const left = new Set<LiveSession>();
    const leaving = waiting.map(async (live) => {
      if (await leaveAgent(core, live)) left.add(live);
    });
    await within(core, timeoutMs / 2, Promise.all(leaving));
    // Skips parked agents, whose turns would otherwise end as stopped.
    for (const live of waiting) if (!left.has(live)) endAgent(core, live);
  }
  core.waiters.withdrawAll(REASON);
  const ended = Promise.all(running.flatMap((live) => live.driver ?? []))
    .then(() => core.background.settled())
    .then(() => core.log.flush());
  await within(core, timeoutMs, ended);
  for (const live of running) live.turn?.force();
}

/** Ends the agent before its waits. It never learns that they ended, so it cannot continue without an answer. */
function endAgent(core: Core, live: LiveSession): void {
  void discardAgent(core, live);
  live.turn?.requestStop(REASON);
}

/** Whether the agent waits for a person and can be parked or left to its host, or has yet to confirm an answer. */
function isWaiting({ agents }: Core, { turn, agent }: LiveSession): boolean {
  if (!turn || !agent || turn.startedBy === "call") return false;
  if (turn.pending.size === 0) return isUntold(turn);
  return agents.get(turn.agent)?.canPark === true || agent.detach !== undefined;
}

/** Whether the agent has yet to confirm an answer that it was given, or a tool works on one. */
function isUntold({ handedOver, unconfirmed, calls }: RunningTurn): boolean {
  return handedOver.size > 0 || unconfirmed.size > 0 || calls.hasAsked;
}

/** Parks the agent or leaves it to its host. Resolves to false when it has to be ended. */
async function leaveAgent(core: Core, live: LiveSession): Promise<boolean> {
  const { turn, agent } = live;
  if (!turn || !agent) return false;
  if (await isParked(core, turn)) return true;
  try {
    if (!agent.detach) {
      await untilTold(core, live, turn);
      return false;
    }
    if (turn.pending.size === 0 && !isUntold(turn)) return false;
    // From here on, nothing from this gateway may reach the agent.
    turn.calls.suspend();
    for (const id of turn.pending) core.waiters.drop(id);
    await agent.detach();
    live.agent = undefined;
    turn.force({ result: { reason: "stopped" }, keepAgent: true, isLeft: true });
    return true;
  } catch (error: unknown) {
    core.onError(error, "close");
    return false;
  }
}

/** Parks the turn. Resolves to false if that fails: a store that takes no writes is no reason to end the agent. */
async function isParked(core: Core, { pending }: RunningTurn): Promise<boolean> {
  const [interactionId] = pending;
  try {
    return interactionId !== undefined && (await parkTurn(core, interactionId));
  } catch (error: unknown) {
    core.onError(error, "close");
    return false;
  }
}

/** Gives an agent without a host a moment to confirm its answers. */
async function untilTold({ clock }: Core, { changes }: LiveSession, turn: RunningTurn) {
  const over = new AbortController();
  using timer = new DisposableStack();
  timer.use(clock.after(TOLD_LIMIT_MS, () => over.abort()));
  while (isUntold(turn) && !turn.closed && !over.signal.aborted) {
    await changes.wait(changes.version, { signal: over.signal });
  }
}

async function within(core: Core, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = core.clock.sleep(timeoutMs, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work.finally(() => done.abort()), timeout]);
}
