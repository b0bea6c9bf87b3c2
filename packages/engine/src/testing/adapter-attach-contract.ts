import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { AgentAdapter, TurnRecord } from "../ports/agent-adapter.ts";
import { AdapterBench } from "./adapter-bench.ts";
import { holdFirst } from "./adapter-parking-contract.ts";
import type { AdapterSubject } from "./adapter-subject.ts";
import { createRecordingTurn } from "./recording-turn.ts";
import { approvalOf, approve } from "./scripted-person.ts";

/** An adapter whose agents survive in hosts. */
export interface AttachSubject extends AdapterSubject {
  /** Ends the gateway with its adapter; the host survives. Resolves to the adapter of the next gateway. */
  restart(): Promise<AgentAdapter>;
  /** The number of agents in hosts, if it can be determined. */
  readonly countHosted?: () => number;
}

const NOTHING_TOLD: TurnRecord = { told: [], readMessage: async () => undefined };

/** The suite that every adapter with `findLive` passes. `setup` is called for each test. */
export function describeAdapterAttach(name: string, setup: () => Promise<AttachSubject>): void {
  describe(`attach contract: ${name}`, () => {
    let subject: AttachSubject;
    const bench = new AdapterBench(async () => (subject = await setup()), 30_000);
    beforeEach(() => bench.prepare());
    afterEach(() => bench.clear());

    /** Opens the session, whose agent waits for a tool, with the next gateway. */
    async function restartWaiting(stack: AsyncDisposableStack) {
      const { turn, request } = await holdFirst(bench, "run_tool");
      const next = stack.use(await subject.restart());
      const { sessionId, turnId } = { sessionId: "ses_contract", turnId: turn.turnId };
      expect(await next.findLive!()).toContainEqual({ sessionId, turnId });
      const { defaultPermissionMode: permissionMode } = await next.describe({
        signal: turn.signal,
      });
      const { state } = turn;
      const { cwd } = subject;
      const known = state === undefined ? {} : { state };
      const session = await next.openSession({ sessionId, cwd, permissionMode, ...known });
      return { session, turnId, request };
    }

    test("a waiting agent asks the next gateway the same, and runs once", async () => {
      await using stack = new AsyncDisposableStack();
      const { session, turnId, request } = await restartWaiting(stack);
      const attached = createRecordingTurn({ turnId, script: () => approve() });
      expect(await bench.inTime(session.attachTurn!(attached, NOTHING_TOLD))).toEqual({
        reason: "done",
      });
      expect(attached.requests.map(({ toolCallId }) => toolCallId)).toEqual([request.toolCallId]);
      expect(subject.ranWith()).toEqual([approvalOf(request).input]);
    });

    test("[R-18] an agent whose turn was stopped is taken over only to be ended, and runs nothing", async () => {
      await using stack = new AsyncDisposableStack();
      const { session, turnId } = await restartWaiting(stack);
      const attached = createRecordingTurn({ turnId, script: () => approve() });
      attached.stop();
      expect(await bench.inTime(session.attachTurn!(attached, NOTHING_TOLD))).toEqual({
        reason: "stopped",
      });
      await vi.waitFor(() => expect(subject.countHosted?.() ?? 0).toBe(0), 5000);
      expect(subject.ranWith()).toEqual([]);
    });
  });
}
