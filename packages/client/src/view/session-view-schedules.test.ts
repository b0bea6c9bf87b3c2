import {
  checkEnd,
  createMemoryDisk,
  Schedule,
  scheduleOptions,
  schedules,
} from "@holdpoint/engine/testing/schedules";
import type { SessionEvent } from "@holdpoint/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { applyFrames, createSessionState, prependEvents } from "./session-state.ts";
import type { SessionView } from "./session-view.ts";

/** The view of a page that follows a session from its beginning. */
class LiveView {
  #state = createSessionState();
  #folded = 0;

  after(frames: Schedule["followers"][number]["frames"]): SessionView {
    const { state, gap } = applyFrames(this.#state, frames.slice(this.#folded));
    expect(gap).toBe(false);
    this.#state = state;
    this.#folded = frames.length;
    return state.view;
  }
}

function fromHistory(events: readonly SessionEvent[]): SessionView {
  return prependEvents(createSessionState(), events, false).state.view;
}

/** The part of a view that the log alone determines. */
function drawn({ items, interactions, grantUses, title, permissionMode, status }: SessionView) {
  return { items, interactions, grantUses, title, permissionMode, status };
}

/**
 * An agent that was waiting when its gateway died is not idle until it has continued, or cannot. The gateway knows
 * that, the log does not.
 */
function withStatusOf(live: SessionView, history: SessionView, mayCallAgain: boolean) {
  const isOpen = [...history.interactions.values()].some(
    ({ status }) => status === "pending" || status === "answered",
  );
  const isBusy = (isOpen || mayCallAgain) && live.status !== "idle";
  const status = isBusy ? live.status : history.status;
  return { ...drawn(history), status };
}

const OPTIONS = scheduleOptions(100);

test(`[R-10] in ${OPTIONS.numRuns} random schedules of a real gateway, the view of the history equals the followed view at every step`, async ({
  annotate,
}) => {
  let tried = 0;
  let states = 0;
  const compare = async (schedule: Schedule, views: LiveView[]) => {
    const { sessions, followers, process, mayCallAgain } = schedule;
    for (const [index, sessionId] of sessions.entries()) {
      const events = await process.events(sessionId);
      const live = views[index]!.after(followers[index]!.frames);
      expect(drawn(live)).toEqual(withStatusOf(live, fromHistory(events), mayCallAgain));
      expect(live.status === "idle").toBe((await schedule.statusOf(sessionId)) === "idle");
      expect(live.lastSeq).toBe(events.length);
      states += 1;
    }
  };
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      await using gateway = await Schedule.open(createMemoryDisk());
      const views = gateway.sessions.map(() => new LiveView());
      for (const step of schedule) {
        await gateway.take(step);
        await compare(gateway, views);
      }
      await checkEnd(gateway);
      await compare(gateway, views);
      tried += 1;
    }),
    OPTIONS,
  );
  expect(tried).toBe(OPTIONS.numRuns);
  expect(states).toBeGreaterThan(10 * tried);
  await annotate(`${tried} schedules, ${states} views compared`, "cases");
});
