import { createSeededRandom } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import {
  afterAnswer,
  afterTime,
  FIRST_STATE,
  type LeaseAnswer,
  type LeaseRow,
  type LeaseState,
} from "./lease-life.ts";

const LASTS_MS = 8000;

function row(node: string, fence: number, leftMs = LASTS_MS): LeaseRow {
  return { node, fence, address: `${node}:1`, release: "1.0.0", leftMs };
}

function answer(found: LeaseRow, sentMs: number, nowMs = sentMs): LeaseAnswer {
  return { node: "me", sentMs, nowMs, lastsMs: LASTS_MS, row: found };
}

test("a node works from the answer on that gives it the lease, until the end of what it has asked for", () => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 1000, 1400));
  expect(working).toEqual({ role: "working", fence: 1, untilMs: 9000 });
  const renewed = afterAnswer(working, answer(row("me", 1), 3000, 3100));
  expect(renewed).toEqual({ role: "working", fence: 1, untilMs: 11_000 });
  expect(afterTime(renewed, 10_999)).toBe(renewed);
  expect(afterTime(renewed, 11_000)).toMatchObject({ role: "standby", lastFence: 1 });
});

test("an answer that comes after the end counts for nothing, also one that says that the lease is still this node's", () => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 0));
  const woken = afterAnswer(working, answer(row("me", 1, 5000), 4000, 9000));
  expect(woken).toEqual({ role: "standby", working: undefined, lastFence: 1 });
  // What ran under that fence has ended: only another one makes it work again.
  expect(afterAnswer(woken, answer(row("me", 1, 4000), 9100))).toEqual(woken);
  expect(afterAnswer(woken, answer(row("me", 2), 12_000))).toMatchObject({
    role: "working",
    fence: 2,
  });
});

test.each([
  ["another node's", row("other", 2)],
  ["its own of another fence", row("me", 2)],
  ["over", row("me", 1, 0)],
])("a node that works and hears that the lease is %s stands by", (_, found) => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 0));
  expect(afterAnswer(working, answer(found, 100))).toMatchObject({
    role: "standby",
    lastFence: 1,
  });
});

test("a node that stands by knows the one that works, and forgets it when its lease is over", () => {
  const other = afterAnswer(FIRST_STATE, answer(row("other", 7), 0));
  const { leftMs: _, ...working } = row("other", 7);
  expect(other).toEqual({ role: "standby", working, lastFence: 0 });
  expect(afterAnswer(other, answer(row("other", 7, -1), 0))).toMatchObject({ working: undefined });
});

/** A database with its own clock, and nodes whose processes are stopped and whose answers are late. */
test("[R-1] never do two nodes work at once, whatever is late or stopped", ({ annotate }) => {
  const planned = 20_000;
  const random = createSeededRandom(41);
  const below = (limit: number): number => Math.floor(random() * limit);
  const states = new Map<string, LeaseState>(["a", "b", "c"].map((node) => [node, FIRST_STATE]));
  const stoppedUntil = new Map<string, number>();
  const onTheWay: { at: number; node: string; sentMs: number; found: LeaseRow }[] = [];
  let lease = { node: "", fence: 0, endsMs: 0 };
  let tried = 0;
  let terms = 0;
  for (let nowMs = 0; tried < planned; nowMs += below(400)) {
    tried += 1;
    const node = ["a", "b", "c"][below(3)] ?? "a";
    if (below(40) === 0) stoppedUntil.set(node, nowMs + below(20_000));
    for (const sent of onTheWay.splice(0)) {
      const isStopped = (stoppedUntil.get(sent.node) ?? 0) > nowMs;
      if (sent.at > nowMs || isStopped) {
        onTheWay.push(sent);
        continue;
      }
      const before = states.get(sent.node)!;
      const next = afterAnswer(before, {
        ...answer(sent.found, sent.sentMs, nowMs),
        node: sent.node,
      });
      if (next.role === "working" && before.role !== "working") terms += 1;
      states.set(sent.node, next);
    }
    if ((stoppedUntil.get(node) ?? 0) <= nowMs) {
      const state = afterTime(states.get(node)!, nowMs);
      states.set(node, state);
      const isOver = lease.endsMs <= nowMs;
      const isHeld = state.role === "working" && lease.node === node && lease.fence === state.fence;
      if (isHeld && !isOver) lease = { ...lease, endsMs: nowMs + LASTS_MS };
      else if (state.role === "standby" && isOver) {
        lease = { node, fence: lease.fence + 1, endsMs: nowMs + LASTS_MS };
      }
      const found = row(lease.node, lease.fence, lease.endsMs - nowMs);
      onTheWay.push({ at: nowMs + below(3000), node, sentMs: nowMs, found });
    }
    // A process that is stopped does nothing; as soon as it runs, it looks at its clock first.
    const working = [...states].filter(
      ([name, state]) =>
        (stoppedUntil.get(name) ?? 0) <= nowMs && afterTime(state, nowMs).role === "working",
    );
    expect(working.length).toBeLessThanOrEqual(1);
  }
  expect(terms).toBeGreaterThan(50);
  return annotate(`${tried.toLocaleString("en-US")} steps, ${terms} terms`, "cases");
});
