import { createSeededRandom } from "@holdpoint/engine/testing";
import type { Interaction, SessionEvent, SessionFrame } from "@holdpoint/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { simulateLog, type SimulatedStep } from "../testing/simulate-log.ts";
import {
  applyFrames,
  createSessionState,
  prependEvents,
  type SessionState,
  withInteractions,
} from "./session-state.ts";
import type { SessionView } from "./session-view.ts";

const log = fc
  .noBias(fc.array(fc.nat({ max: 14 * 24 }), { minLength: 1, maxLength: 120, size: "max" }))
  .map(simulateLog);
/** Decides how the log is cut and in which order it arrives. */
const cuts = fc.noBias(fc.nat()).map(createSeededRandom);

function replay(events: readonly SessionEvent[]): SessionView {
  return applyFrames(createSessionState(), events).state.view;
}

function page(events: readonly SessionEvent[]): SessionView {
  return prependEvents(createSessionState(), events, events[0]!.seq > 1).state.view;
}

function withoutStreams(view: SessionView): SessionView {
  const isWhole = (item: SessionView["items"][number]): boolean =>
    item.type === "assistant_message" ? !item.streaming : !("inputText" in item);
  return { ...view, items: view.items.filter(isWhole) };
}

interface Arrival {
  readonly view: SessionView;
  readonly views: readonly SessionView[];
}

/** Loads a tail, then follows and loads earlier pages in any order, in pieces of any size. */
function arrive(
  steps: readonly SimulatedStep[],
  pick: () => number,
  prepare: (state: SessionState, upTo: number) => SessionState = (state) => state,
): Arrival {
  const events = steps.map(({ event }) => event);
  let end = Math.floor(pick() * (events.length + 1));
  let start = Math.floor(pick() * (end + 1));
  let state = prepare(createSessionState(), end);
  if (end > start) state = prependEvents(state, events.slice(start, end), start > 0).state;
  else start = end = 0;
  const views = [state.view];
  while (start > 0 || end < events.length) {
    if (end === events.length || (start > 0 && pick() < 0.4)) {
      const from = Math.max(0, start - 1 - Math.floor(pick() * 8));
      state = prependEvents(state, events.slice(from, start), from > 0).state;
      start = from;
    } else {
      const to = Math.min(events.length, end + 1 + Math.floor(pick() * 5));
      state = applyFrames(state, toFrames(steps.slice(end, to), pick)).state;
      end = to;
    }
    views.push(state.view);
  }
  return { view: state.view, views };
}

/** The events with some of their deltas before them, some of them late, and some of the events twice. */
function toFrames(steps: readonly SimulatedStep[], pick: () => number): SessionFrame[] {
  return steps.flatMap(({ event, deltas }) => [
    ...deltas.filter(() => pick() < 0.7),
    event,
    ...(pick() < 0.1 ? [...deltas, event] : []),
  ]);
}

describe("session view", () => {
  test("[R-7] [R-10] replay equals live: any split into pages and live pieces gives the same view", () => {
    fc.assert(
      fc.property(log, cuts, (steps, pick) => {
        const { view } = arrive(steps, pick);
        expect(view).toEqual(replay(steps.map(({ event }) => event)));
      }),
      { numRuns: 400 },
    );
  });

  test("[R-10] every live view equals a page of the same events", () => {
    fc.assert(
      fc.property(log, cuts, (steps, pick) => {
        const events = steps.map(({ event }) => event);
        for (const view of arrive(steps, pick).views) {
          if (view.lastSeq === 0) continue;
          const same = page(events.slice(view.firstSeq - 1, view.lastSeq));
          expect(withoutStreams(view)).toEqual(same);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("[R-10] records loaded next to the log change nothing once the whole log is there", () => {
    fc.assert(
      fc.property(log, cuts, (steps, pick) => {
        const events = steps.map(({ event }) => event);
        const { view } = arrive(steps, pick, (empty, upTo) => {
          const readAt = Math.min(events.length, upTo + Math.floor(pick() * 6));
          const rows = [...replay(events.slice(0, readAt)).interactions.values()];
          return withInteractions(empty, rows.map(toRow));
        });
        const whole = replay(events);
        expect(view.items).toEqual(whole.items);
        expect(view.interactions).toEqual(whole.interactions);
        expect(view.status).toBe(whole.status);
      }),
      { numRuns: 200 },
    );
  });

  test("an older state stays unchanged and can be folded further", () => {
    fc.assert(
      fc.property(log, cuts, (steps, pick) => {
        const events = steps.map(({ event }) => event);
        const middle = Math.floor(pick() * events.length);
        const base = applyFrames(createSessionState(), events.slice(0, middle)).state;
        const copy = structuredClone(base);
        const once = applyFrames(base, events.slice(middle)).state;
        const again = applyFrames(base, events.slice(middle)).state;
        expect(base).toEqual(copy);
        expect(again).toEqual(once);
      }),
      { numRuns: 150 },
    );
  });
});

function toRow(interaction: Interaction): Interaction {
  return { ...interaction, remainingMs: 1234 };
}
