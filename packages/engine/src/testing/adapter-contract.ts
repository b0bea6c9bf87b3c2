import { agentInfoSchema } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { describeApprovals } from "./adapter-approvals-contract.ts";
import { AdapterBench, never, spokenText } from "./adapter-bench.ts";
import { describeQuestions } from "./adapter-questions-contract.ts";
import { describeStopping } from "./adapter-stopping-contract.ts";
import type { AdapterContractOptions, AdapterSubject } from "./adapter-subject.ts";
import { deny } from "./scripted-person.ts";

/** The suite that every adapter passes. `setup` is called for each test. */
export function describeAdapterContract(
  name: string,
  setup: () => Promise<AdapterSubject>,
  { cannot = [], stopWithinMs = 10_000 }: AdapterContractOptions = {},
): void {
  describe(`adapter contract: ${name}`, () => {
    const bench = new AdapterBench(setup, stopWithinMs);
    beforeEach(() => bench.prepare());
    afterEach(() => bench.clear());

    test("describes itself as the protocol requires", async () => {
      const info = agentInfoSchema.parse(await bench.subject.adapter.describe({ signal: never }));
      const modes = info.permissionModes.map(({ mode }) => mode);
      expect(new Set(modes).size).toBe(modes.length);
      expect(modes).toContain(info.defaultPermissionMode);
      expect(info.available).toBe(true);
    });

    describeText(bench);
    describeQuestions(bench);
    describeApprovals(bench, cannot);
    describeStopping(bench);
    describeState(bench);

    test.skipIf(cannot.includes("fail"))("a failing agent ends only its turn", async () => {
      const session = await bench.open();
      const { result } = await bench.run(session, "fail");
      expect(result).toMatchObject({ reason: "error", message: expect.stringMatching(/\S/) });
      await bench.expectUsable(session);
    });
  });
}

function describeText(bench: AdapterBench): void {
  describe("text", () => {
    test("[R-8] streams in pieces that add up to the kept text", async () => {
      const { turn, result } = await bench.run(await bench.open(), "say_text");
      expect(result).toEqual({ reason: "done" });
      expect(spokenText(turn)).not.toBe("");
      expect(turn.deltas.some((delta) => delta.type === "text_delta")).toBe(true);
      expect(turn.requests).toEqual([]);
    });

    test("has distinct ids in consecutive turns", async () => {
      const session = await bench.open();
      const first = await bench.run(session, "say_text");
      const second = await bench.run(session, "say_text");
      const ids = [first, second].flatMap(({ turn }) =>
        turn.events.flatMap((event) =>
          event.type === "assistant_message" ? [event.messageId] : [],
        ),
      );
      expect(new Set(ids).size).toBe(ids.length);
    });
  });
}

function describeState(bench: AdapterBench): void {
  test("continues in a session that is opened again from its state", async () => {
    const first = await bench.open();
    const { turn } = await bench.run(first, "say_text");
    await first[Symbol.asyncDispose]();
    const { state } = turn;
    const reopened = await bench.open(state === undefined ? {} : { state });
    const { result } = await bench.run(reopened, "say_text");
    expect(result).toEqual({ reason: "done" });
  });

  test("is safe in a session that is opened again from an invalid state", async () => {
    const session = await bench.open({ state: "no such state" });
    const { turn, result } = await bench.run(session, "run_tool", () => deny("no"));
    expect(turn.requests.length === 1 || result.reason === "error").toBe(true);
    expect(bench.subject.ranWith()).toEqual([]);
  });
}
