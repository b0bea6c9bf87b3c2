import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { AgentSession, HoldRequest } from "../ports/agent-adapter.ts";
import { AdapterBench } from "./adapter-bench.ts";
import type { AdapterSubject, AgentBehaviour } from "./adapter-subject.ts";
import { createRecordingTurn, type HoldScript, type RecordingTurn } from "./recording-turn.ts";
import { approvalOf, approve, deny } from "./scripted-person.ts";

export interface HeldTurn {
  readonly session: AgentSession;
  readonly turn: RecordingTurn;
  readonly request: HoldRequest;
  readonly ended: ReturnType<AgentSession["runTurn"]>;
}

/** Runs a turn until its agent has asked for the first time, and leaves the request pending. */
export async function holdFirst(bench: AdapterBench, behaviour: AgentBehaviour): Promise<HeldTurn> {
  const asked = Promise.withResolvers<HoldRequest>();
  const turn = createRecordingTurn({
    script: (request) => {
      asked.resolve(request);
      return new Promise<never>(() => undefined);
    },
  });
  const session = await bench.open();
  const content = bench.subject.prompt(behaviour);
  const ended = session.runTurn({ messageId: "msg_user", content }, turn);
  return { session, turn, request: await asked.promise, ended };
}

/** The suite that every adapter with `canPark` passes. `setup` is called for each test. */
export function describeAdapterParking(
  name: string,
  setup: () => Promise<AdapterSubject>,
  { withinMs = 30_000 }: { readonly withinMs?: number } = {},
): void {
  describe(`parking contract: ${name}`, () => {
    const bench = new AdapterBench(setup, withinMs);
    beforeEach(() => bench.prepare());
    afterEach(() => bench.clear());

    test("[R-6] a parked call is asked about again, unchanged, and runs once", async () => {
      const parked = await park(bench, "run_tool");
      expect(bench.subject.ranWith()).toEqual([]);
      const { turn, result } = await resume(bench, parked, () => approve());
      expect(result).toEqual({ reason: "done" });
      expect(turn.requests[0]).toMatchObject({ kind: "approval", toolCallId: parked.toolCallId });
      expect(approvalOf(turn.requests[0]).input).toEqual(approvalOf(parked.request).input);
      expect(bench.subject.ranWith()).toEqual([approvalOf(parked.request).input]);
    });

    test("[R-5] a parked call that is denied then does not run", async () => {
      const parked = await park(bench, "run_tool");
      await resume(bench, parked, () => deny("Not any more."));
      expect(bench.subject.ranWith()).toEqual([]);
      expect(bench.subject.heard().join("\n")).toContain("Not any more.");
    });

    test("a parked question is asked again, unchanged", async () => {
      const parked = await park(bench, "ask_question");
      const { turn, result } = await resume(bench, parked, () => ({
        outcome: "answered",
        response: { action: "submit", reply: "The second one" },
      }));
      expect(result).toEqual({ reason: "done" });
      expect(turn.requests[0]).toMatchObject({ kind: "question", toolCallId: parked.toolCallId });
      expect(bench.subject.heard().join("\n")).toContain("The second one");
    });

    test("a call can be parked again after its agent was started again", async () => {
      const first = await park(bench, "run_tool");
      const second = await parkAgain(bench, first);
      await resume(bench, second, () => approve());
      expect(bench.subject.ranWith()).toHaveLength(1);
    });

    test("one of several calls cannot be parked", async () => {
      const { session, turn, request, ended } = await holdFirst(bench, "run_three_tools");
      expect(await session.canResume?.(request.toolCallId)).toBe(false);
      turn.stop();
      await bench.inTime(ended);
    });

    test("a call that was never made cannot be resumed, and its turn reports the error", async () => {
      const { state } = await park(bench, "run_tool");
      const session = await bench.open(state === undefined ? {} : { state });
      expect(await session.canResume?.("no_such_call")).toBe(false);
      const turn = createRecordingTurn();
      const result = await bench.inTime(session.resumeTurn!("no_such_call", turn));
      expect(result).toMatchObject({ reason: "error", message: expect.stringMatching(/\S/) });
      expect(bench.subject.ranWith()).toEqual([]);
    });
  });
}

interface ParkedCall {
  readonly request: HoldRequest;
  readonly toolCallId: string;
  readonly state: string | undefined;
}

async function park(bench: AdapterBench, behaviour: AgentBehaviour): Promise<ParkedCall> {
  return endParked(bench, await holdFirst(bench, behaviour));
}

async function endParked(
  bench: AdapterBench,
  { session, turn, request, ended }: HeldTurn,
): Promise<ParkedCall> {
  const { toolCallId } = request;
  // The record that identifies it may be written a moment after the request.
  await vi.waitFor(async () => expect(await session.canResume?.(toolCallId)).toBe(true), 5000);
  await bench.inTime(session.park!());
  expect(await bench.inTime(ended)).toEqual({ reason: "parked" });
  await session[Symbol.asyncDispose]();
  return { request, toolCallId, state: turn.state };
}

async function parkAgain(bench: AdapterBench, { toolCallId, state }: ParkedCall) {
  const asked = Promise.withResolvers<HoldRequest>();
  const turn = createRecordingTurn({
    script: (request) => {
      asked.resolve(request);
      return new Promise<never>(() => undefined);
    },
  });
  const session = await bench.open(state === undefined ? {} : { state });
  const ended = session.resumeTurn!(toolCallId, turn);
  const parked = await endParked(bench, { session, turn, request: await asked.promise, ended });
  return { ...parked, state: parked.state ?? state };
}

async function resume(bench: AdapterBench, { toolCallId, state }: ParkedCall, script: HoldScript) {
  const session = await bench.open(state === undefined ? {} : { state });
  const turn = createRecordingTurn({ script });
  const result = await bench.inTime(session.resumeTurn!(toolCallId, turn));
  turn.end();
  return { turn, result };
}
