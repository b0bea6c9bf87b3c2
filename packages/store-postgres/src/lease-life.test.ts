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
  return { node: "me", sentMs, nowMs, row: found };
}

test("[R-1] a node works from the answer that grants the lease to the end of the time it asked for", () => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 1000, 1400));
  expect(working).toEqual({ role: "working", fence: 1, untilMs: 9000 });
  const renewed = afterAnswer(working, answer(row("me", 1), 3000, 3100));
  expect(renewed).toEqual({ role: "working", fence: 1, untilMs: 11_000 });
  expect(afterTime(renewed, 10_999)).toBe(renewed);
  expect(afterTime(renewed, 11_000)).toMatchObject({ role: "standby", lastFence: 1 });
});

test("[R-1] an answer after the end of the lease is ignored, even one that confirms the lease", () => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 0));
  const woken = afterAnswer(working, answer(row("me", 1, 5000), 4000, 9000));
  expect(woken).toEqual({ role: "standby", working: undefined, lastFence: 1 });
  // The work under that fence has ended: only another fence makes it work again.
  expect(afterAnswer(woken, answer(row("me", 1, 4000), 9100))).toEqual(woken);
  expect(afterAnswer(woken, answer(row("me", 2), 12_000))).toMatchObject({
    role: "working",
    fence: 2,
  });
});

test("[R-1] a lease whose grant was lost on the way keeps its end, and is not extended", () => {
  // The first answer was lost; the second one finds the lease as the first has left it.
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1, 5000), 3000, 3100));
  expect(working).toEqual({ role: "working", fence: 1, untilMs: 8000 });
});

test.each([
  ["another node's", row("other", 2)],
  ["its own under another fence", row("me", 2)],
  ["over", row("me", 1, 0)],
])("a working node that finds the lease %s stands by", (_, found) => {
  const working = afterAnswer(FIRST_STATE, answer(row("me", 1), 0));
  expect(afterAnswer(working, answer(found, 100))).toMatchObject({
    role: "standby",
    lastFence: 1,
  });
});

test("a standby node knows the working node, and forgets it when its lease is over", () => {
  const other = afterAnswer(FIRST_STATE, answer(row("other", 7), 0));
  const { leftMs: _, ...working } = row("other", 7);
  expect(other).toEqual({ role: "standby", working, lastFence: 0 });
  expect(afterAnswer(other, answer(row("other", 7, -1), 0))).toMatchObject({ working: undefined });
});

interface Question {
  readonly node: string;
  /** The fence of the lease that it renews; 0 to take it. */
  readonly fence: number;
  readonly sentMs: number;
  /** When the database gets it, and then when the node gets the answer. */
  arrivesMs: number;
  found?: LeaseRow;
}

/** A database that answers late, and nodes whose processes are stopped now and then. */
test("[R-1] two nodes never work at once, whatever is late or stopped", ({ annotate }) => {
  const planned = Number(process.env["CAMPAIGN_CASES"] ?? 20_000);
  const random = createSeededRandom(Number(process.env["CAMPAIGN_SEED"] ?? 41));
  const below = (limit: number): number => Math.floor(random() * limit);
  const names = ["a", "b", "c"];
  const states = new Map<string, LeaseState>(names.map((node) => [node, FIRST_STATE]));
  const stoppedUntil = new Map(names.map((node) => [node, 0]));
  let underWay: Question[] = [];
  let lease = { node: "", fence: 0, endsMs: 0 };
  let terms = 0;
  let nowMs = 0;
  const isStopped = (node: string): boolean => stoppedUntil.get(node)! > nowMs;
  /** As `hold_lease` does it. */
  const hold = ({ node, fence }: Question): LeaseRow => {
    const isOver = lease.endsMs <= nowMs;
    if (lease.node === node && lease.fence === fence && !isOver) lease.endsMs = nowMs + LASTS_MS;
    else if (fence === 0 && isOver) {
      lease = { node, fence: lease.fence + 1, endsMs: nowMs + LASTS_MS };
    }
    return row(lease.node, lease.fence, lease.endsMs - nowMs);
  };
  const goOn = (question: Question): boolean => {
    if (question.arrivesMs > nowMs) return true;
    const { node, sentMs, found } = question;
    if (!found) {
      question.found = hold(question);
      question.arrivesMs = nowMs + below(2500);
      return true;
    }
    if (isStopped(node)) return true;
    const before = states.get(node)!;
    const next = afterAnswer(before, { ...answer(found, sentMs, nowMs), node });
    if (next.role === "working" && before.role !== "working") terms += 1;
    states.set(node, next);
    return false;
  };
  for (let step = 0; step < planned; step += 1) {
    nowMs += below(400);
    const node = names[below(3)]!;
    if (below(40) === 0) stoppedUntil.set(node, nowMs + below(20_000));
    underWay = underWay.filter(goOn);
    if (!isStopped(node)) {
      const state = afterTime(states.get(node)!, nowMs);
      states.set(node, state);
      const fence = state.role === "working" ? state.fence : 0;
      underWay.push({ node, fence, sentMs: nowMs, arrivesMs: nowMs + below(2500) });
    }
    // A process that is stopped does nothing; as soon as it runs, it looks at its clock first.
    const working = names.filter(
      (name) => !isStopped(name) && afterTime(states.get(name)!, nowMs).role === "working",
    );
    if (working.length > 1) throw new Error(`At ${nowMs} ms ${working.join(" and ")} work.`);
  }
  expect(terms).toBeGreaterThan(planned / 400);
  return annotate(`${planned.toLocaleString("en-US")} steps, ${terms} terms`, "cases");
});
