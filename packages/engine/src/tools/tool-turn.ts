import { drainingError } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { Ids } from "../ports/ids.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import { RunningTurn, type TurnOutcome } from "../session/running-turn.ts";
import type { EndableCall } from "../session/turn-calls.ts";
import { endTurn, type EndTurnParts } from "../turn/end-turn.ts";
import { beginTurn, clearTurn, writeTurnStart } from "../turn/run-turn.ts";

export interface ToolTurnParts extends EndTurnParts {
  readonly ids: Ids;
  readonly sessions: LiveSessions;
  /** Runs a turn without a message, in a session with nothing running. */
  readonly driveFirst: (live: LiveSession, first: () => Promise<void>) => void;
}

/** A caller that enters a turn: a tool call, or a program that asks. */
export interface JoiningCall extends EndableCall {
  /** Whether no one needs its result. */
  readonly isGivenUp: boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets a call enter the session's running turn or, if nothing is running, a new turn, which lasts as long as it has
 * calls. The call must leave the turn again. Resolves to `undefined` when the call was given up while another turn
 * began or ended.
 */
export async function joinTurn(
  parts: ToolTurnParts,
  live: LiveSession,
  call: JoiningCall,
): Promise<RunningTurn | undefined> {
  for (;;) {
    const entered = await enterTurn(parts, live, call);
    if (entered || call.isGivenUp) return entered;
    const opened = await openOwnTurn(parts, live, call);
    if (opened) return opened;
  }
}

/**
 * Lets a call enter the session's running turn. Resolves to `undefined` when nothing is running, or when the call was
 * given up.
 */
export async function enterTurn(
  parts: Pick<ToolTurnParts, "draining">,
  live: LiveSession,
  call: JoiningCall,
): Promise<RunningTurn | undefined> {
  for (;;) {
    if (call.isGivenUp) return undefined;
    if (parts.draining.aborted) throw drainingError();
    const { turn, driver, changes } = live;
    const { version } = changes;
    if (turn && mayEnter(turn)) {
      turn.calls.enter(call);
      return turn;
    }
    if (!driver) return undefined;
    await changes.wait(version, { signal: call.signal });
  }
}

/** A turn that a call began ends with the last of its calls. */
function mayEnter({ begun, closed, startedBy, calls }: RunningTurn): boolean {
  return begun && !closed && !(startedBy === "call" && calls.hasBeenIdle);
}

/**
 * Opens a turn for the call. Resolves to `undefined` when something else has started in the session, or when nothing
 * new may begin.
 */
async function openOwnTurn(
  parts: ToolTurnParts,
  live: LiveSession,
  call: JoiningCall,
): Promise<RunningTurn | undefined> {
  const { sessionId } = live;
  const session = await parts.store.getSession(sessionId);
  if (!session || live.deleting) throw notFound("session");
  if (live.driver) return undefined;
  const { agent, cwd, createdBy } = session;
  const turnId = parts.ids.next("trn");
  const turn = new RunningTurn({ sessionId, turnId, agent, cwd, createdBy, startedBy: "call" });
  turn.calls.enter(call);
  await new Promise<void>((onBegun) => {
    parts.driveFirst(live, () => runOwnTurn(parts, live, turn, onBegun));
  });
  if (turn.failure instanceof Error) throw turn.failure;
  return turn.closed ? undefined : turn;
}

/** `onBegun` is called when the turn has begun, or cannot begin. */
async function runOwnTurn(
  parts: ToolTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  onBegun: () => void,
): Promise<void> {
  live.turn = turn;
  try {
    // Deleting the session and closing the gateway stop only a turn that they find, so this one must not begin.
    if (live.deleting || parts.draining.aborted) return;
    if (!(await writeTurnStart(parts, live, turn))) return;
    beginTurn(parts, live, turn);
    onBegun();
    const { result } = await turn.outcomeOf(turn.calls.idle.then(() => outcomeOf(turn)));
    turn.close();
    await endTurn(parts, live, turn, result);
  } catch (error: unknown) {
    turn.failure ??= error;
    throw error;
  } finally {
    clearTurn(parts, live, turn);
    onBegun();
  }
}

function outcomeOf(turn: RunningTurn): TurnOutcome {
  return { result: { reason: turn.signal.aborted ? "stopped" : "done" }, keepAgent: true };
}
