import { describe, expect, test } from "vitest";

import type { AdapterBench } from "./adapter-bench.ts";
import type { AgentBehaviour } from "./adapter-subject.ts";
import { createRecordingTurn } from "./recording-turn.ts";

/** The part of the adapter contract about stopped turns and disposed sessions. */
export function describeStopping(bench: AdapterBench): void {
  describe("stopping", () => {
    test.each<AgentBehaviour>(["ask_question", "run_tool"])(
      "[R-18] while a hold of %s waits ends the turn, and the session accepts another",
      async (behaviour) => {
        const session = await bench.open();
        const { turn, ended } = await bench.runUntilHeld(session, behaviour);
        turn.stop();
        const result = await bench.inTime(ended);
        expect(result).toEqual({ reason: "stopped" });
        expect(bench.subject.ranWith()).toEqual([]);
        await bench.expectUsable(session);
      },
    );

    test("a turn that is stopped before it starts does nothing", async () => {
      const session = await bench.open();
      const turn = createRecordingTurn();
      turn.stop();
      const message = { messageId: "msg_user", content: bench.subject.prompt("run_tool") };
      const result = await bench.inTime(session.runTurn(message, turn));
      expect(result).toEqual({ reason: "stopped" });
      expect(bench.subject.ranWith()).toEqual([]);
    });

    test("disposing a session ends a waiting turn, and may be done twice", async () => {
      const session = await bench.open();
      const { ended } = await bench.runUntilHeld(session, "run_tool");
      await bench.inTime(session[Symbol.asyncDispose]());
      const result = await bench.inTime(ended);
      expect(result.reason).not.toBe("done");
      expect(bench.subject.ranWith()).toEqual([]);
      await session[Symbol.asyncDispose]();
    });

    test("disposing the adapter ends its sessions, and may be done twice", async () => {
      const { ended } = await bench.runUntilHeld(await bench.open(), "run_tool");
      await bench.inTime(bench.subject.adapter[Symbol.asyncDispose]());
      expect((await bench.inTime(ended)).reason).not.toBe("done");
      expect(bench.subject.ranWith()).toEqual([]);
      await bench.subject.adapter[Symbol.asyncDispose]();
    });
  });
}
