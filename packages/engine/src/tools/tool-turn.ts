import { drainingError } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { TurnOutcome } from "../session/running-turn.ts";
import { RunningTurn } from "../session/running-turn.ts";
import { toRow } from "../session/stored-session.ts";
import { TurnCalls } from "../session/turn-calls.ts";
import { endTurn } from "../turn/end-turn.ts";
import { beginTurn, clearTurn } from "../turn/run-turn.ts";

/** A turn that a call is in, until it leaves. */
export interface JoinedTurn {
  readonly turn: RunningTurn;
  readonly calls: TurnCalls;
}

/**
 * The session's running turn or, where nothing runs, one of its own that lasts as long as it has calls. The call has
 * entered it and must leave it. Rejects with the signal's reason when it aborts while another turn begins or ends.
 */
export async function joinTurn(
  core: Core,
  live: LiveSession,
  { signal }: { readonly signal: AbortSignal },
): Promise<JoinedTurn> {
  for (;;) {
    signal.throwIfAborted();
    if (core.draining.aborted) throw drainingError();
    const { version } = live.changes;
    const joined = live.turn && enter(live.turn);
    if (joined) return joined;
    if (live.driver) await live.changes.wait(version, { signal });
    else {
      const opened = await openOwnTurn(core, live);
      if (opened) return opened;
    }
  }
}

function enter(turn: RunningTurn): JoinedTurn | undefined {
  if (!turn.begun || turn.closed || turn.calls?.isOpen === false) return undefined;
  const calls = (turn.calls ??= new TurnCalls({ isOwn: false }));
  calls.enter();
  return { turn, calls };
}

/** `undefined` when something else began to run in that moment, or nothing may begin any more. */
async function openOwnTurn(core: Core, live: LiveSession): Promise<JoinedTurn | undefined> {
  const { sessionId } = live;
  const session = await core.store.getSession(sessionId);
  if (!session || live.deleting) throw notFound("session");
  if (live.driver) return undefined;
  const { agent, cwd } = session;
  const turn = new RunningTurn({ sessionId, turnId: core.ids.next("trn"), agent, cwd });
  const calls = new TurnCalls({ isOwn: true });
  turn.calls = calls;
  calls.enter();
  core.driveFirst(live, () => runOwnTurn(core, live, turn, calls));
  while (!turn.begun && !turn.closed) {
    await live.changes.wait(live.changes.version, { signal: calls.ended });
  }
  if (turn.failure instanceof Error) throw turn.failure;
  return turn.closed ? undefined : { turn, calls };
}

async function runOwnTurn(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  calls: TurnCalls,
): Promise<void> {
  live.turn = turn;
  try {
    // Whoever deletes the session or closes the gateway stops the turn that they find, and waits for its driver.
    if (live.deleting || core.draining.aborted) return;
    if (!(await writeBeginning(core, live, turn))) return;
    beginTurn(core, live, turn);
    const { result } = await turn.outcomeOf(calls.idle.then(() => outcomeOf(turn)));
    turn.close();
    await endTurn(core, live, turn, result);
  } catch (error: unknown) {
    turn.failure ??= error;
    throw error;
  } finally {
    clearTurn(core, live, turn);
  }
}

function outcomeOf(turn: RunningTurn): TurnOutcome {
  return { result: { reason: turn.signal.aborted ? "stopped" : "done" }, keepAgent: true };
}

function writeBeginning(core: Core, live: LiveSession, turn: RunningTurn): Promise<boolean> {
  const { sessionId, turnId } = turn;
  return live.rowWrites(async () => {
    const stored = await core.store.getSession(sessionId);
    if (!stored) return false;
    const at = toInstant(core.clock.now());
    const result = await core.log.append({
      sessionId,
      events: [{ type: "turn_started", at, turnId }],
      session: toRow({ ...stored, status: "running", updatedAt: at }),
    });
    return result.status === "appended";
  });
}
