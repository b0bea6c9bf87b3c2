import type { AgentSession, TurnResult } from "@holdpoint/engine";
import {
  createRecordingTurn,
  type HoldScript,
  type RecordingTurn,
} from "@holdpoint/engine/testing";
import { expect, vi } from "vitest";

import type { ClaudeScene } from "./claude-scene.ts";

/** The remaining data of a session whose agent was parked: everything another gateway needs. */
export interface Parked {
  readonly toolCallId: string;
  readonly state: string;
  /** The turn that ended with the parking. */
  readonly turn: RecordingTurn;
}

interface Choice {
  readonly permissionMode?: string;
}

/** Sends a message, waits until the agent asks, and parks it. */
export async function park(scene: ClaudeScene, choice: Choice = {}): Promise<Parked> {
  const session = await scene.openSession(choice);
  const turn = createRecordingTurn();
  const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
  const parked = await parkAsked(session, turn, ended);
  await session[Symbol.asyncDispose]();
  return parked;
}

/** Waits until the agent of this turn asks, and parks it. */
export async function parkAsked(
  session: AgentSession,
  turn: RecordingTurn,
  ended: Promise<TurnResult>,
  stateBefore?: string,
): Promise<Parked> {
  await vi.waitFor(() => expect(turn.requests).toHaveLength(1), 60_000);
  const toolCallId = turn.requests[0]!.toolCallId;
  expect(await session.canResume!(toolCallId)).toBe(true);
  await session.park!();
  expect(await ended).toEqual({ reason: "parked" });
  expect(turn.entries.filter(({ kind }) => kind === "held")).toEqual([]);
  turn.end();
  return { toolCallId, state: turn.state ?? stateBefore ?? "", turn };
}

/** Resumes the call as another gateway would, from the state alone. */
export async function resume(
  scene: ClaudeScene,
  { toolCallId, state }: Parked,
  { script, ...choice }: Choice & { readonly script: HoldScript },
): Promise<{ turn: RecordingTurn; result: TurnResult }> {
  const session = await scene.openSession({ ...choice, state });
  const turn = createRecordingTurn({ script });
  const result = await session.resumeTurn!(toolCallId, turn);
  turn.end();
  await session[Symbol.asyncDispose]();
  expect(turn.lateEntries).toEqual([]);
  return { turn, result };
}
