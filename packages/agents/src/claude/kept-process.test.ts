import { SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import type { ClaudeProcess } from "./claude-process.ts";
import { IdleProcesses } from "./idle-processes.ts";
import { KeptProcess } from "./kept-process.ts";

describe("a change that the process rejects", () => {
  test.each([
    ["fails while the process runs", false],
    ["is no failure while the process is being ended, for example to park it", true],
  ])("%s", async (_, isGone) => {
    const kept = new KeptProcess({
      clock: new SimulatedClock(),
      idleMs: 1000,
      idle: new IdleProcesses(1),
    });
    kept.keep({ isGone } as ClaudeProcess);
    const failed = await kept
      .tell(() => Promise.reject(new Error("No answer.")))
      .then(
        () => false,
        () => true,
      );
    expect(failed).toBe(!isGone);
  });
});

describe("idle processes", () => {
  function setUp(most: number) {
    const clock = new SimulatedClock();
    const idle = new IdleProcesses(most);
    const ended: string[] = [];
    const start = (name: string): KeptProcess => {
      const kept = new KeptProcess({ clock, idleMs: 1000, idle });
      kept.keep({ close: () => void ended.push(name) } as unknown as ClaudeProcess);
      return kept;
    };
    return { clock, ended, start };
  }

  test("[R-20] are limited in number: the one that has been idle for longest ends", () => {
    const { ended, start } = setUp(2);
    const kept = ["one", "two", "three", "four"].map(start);
    for (const process of kept) process.release();
    expect(ended).toEqual(["one", "two"]);
  });

  test("[R-20] never end while a turn needs them, for example while it waits for an answer", () => {
    const { ended, start } = setUp(1);
    const [waiting, other, third] = ["waiting", "other", "third"].map(start);
    waiting!.release();
    waiting!.occupy();
    other!.release();
    third!.release();
    expect(ended).toEqual(["other"]);
    waiting!.release();
    expect(ended).toEqual(["other", "third"]);
  });

  test("[R-20] are no longer counted once they have exited or timed out", async () => {
    const { clock, ended, start } = setUp(1);
    const [gone, late, last] = ["gone", "late", "last"].map(start);
    gone!.release();
    gone!.forget(gone!.current!);
    late!.release();
    await clock.advance(1000);
    last!.release();
    expect(ended).toEqual(["late"]);
  });

  test("[R-20] may be disabled: each process ends with its turn", () => {
    const { ended, start } = setUp(0);
    start("one").release();
    expect(ended).toEqual(["one"]);
  });
});
