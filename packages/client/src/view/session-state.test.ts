import type { SessionEvent, SessionFrame, UnplacedEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import {
  applyFrames,
  createSessionState,
  prependEvents,
  type SessionState,
  withInteractions,
  withSession,
} from "./session-state.ts";
import type { ViewItem } from "./session-view.ts";

const AT = "2026-01-01T00:00:00.000Z";

type Bare<T> = T extends unknown ? Omit<T, "at"> & { at?: string } : never;

function place(events: readonly Bare<UnplacedEvent>[], firstSeq = 1): SessionEvent[] {
  return events.map((event, index) => ({
    seq: firstSeq + index,
    at: AT,
    turnId: "turn-1",
    ...event,
  }));
}

function fold(frames: readonly SessionFrame[], onto = createSessionState()): SessionState {
  const { state, gap } = applyFrames(onto, frames);
  expect(gap).toBe(false);
  return state;
}

/** Loads a page of a log on top of the earlier pages. */
function load(events: readonly SessionEvent[], onto = createSessionState()): SessionState {
  const { state, gap } = prependEvents(onto, events, events[0]!.seq > 1);
  expect(gap).toBe(false);
  return state;
}

function say(messageId: string, text: string): Bare<UnplacedEvent> {
  return { type: "assistant_message", messageId, text, channel: "text" };
}

function delta(offset: number, text: string, messageId = "m1"): SessionFrame {
  return { type: "text_delta", turnId: "turn-1", messageId, channel: "text", offset, text };
}

function texts({ view }: SessionState): string[] {
  return view.items.flatMap((item) => (item.type === "assistant_message" ? [item.text] : []));
}

function calls({ view }: SessionState): Extract<ViewItem, { type: "tool_call" }>[] {
  return view.items.filter((item) => item.type === "tool_call");
}

describe("position in the log", () => {
  test("[R-7] a known event changes nothing, not even the identity of the view", () => {
    const events = place([{ type: "turn_started" }, say("m1", "Hello")]);
    const state = fold(events);
    expect(fold(events, state)).toBe(state);
  });

  test("[R-7] an event after a hole is reported and not folded", () => {
    const [first, , third] = place([say("m1", "a"), say("m2", "b"), say("m3", "c")]);
    const { state, gap } = applyFrames(createSessionState(), [first!, third!]);
    expect(gap).toBe(true);
    expect(state.view.lastSeq).toBe(1);
    expect(texts(state)).toEqual(["a"]);
  });

  test("a page that does not join the view is reported and changes nothing", () => {
    const state = load(place([say("m9", "late")], 9));
    const apart = prependEvents(state, place([say("m1", "early")], 1), false);
    expect(apart.gap).toBe(true);
    expect(apart.state).toBe(state);
  });

  test("a page that overlaps the view adds only the missing events", () => {
    const events = place([say("m1", "a"), say("m2", "b"), say("m3", "c")]);
    const whole = load(events, load(events.slice(1)));
    expect(texts(whole)).toEqual(["a", "b", "c"]);
    expect(whole.view).toMatchObject({ firstSeq: 1, lastSeq: 3, hasEarlier: false });
  });

  test("[R-7] a reset clears everything and the next event is the first one", () => {
    const state = fold(place([say("m1", "old"), say("m2", "older")]));
    const next = fold([{ type: "reset", epoch: "other" }, ...place([say("m1", "new")])], state);
    expect(texts(next)).toEqual(["new"]);
    expect(next.view).toMatchObject({ epoch: "other", firstSeq: 1, lastSeq: 1 });
  });

  test("an event of a type from a later version counts and is not drawn", () => {
    const unknown = { seq: 1, at: AT, type: "grant_added" } as unknown as SessionEvent;
    const state = fold([unknown, ...place([say("m1", "after")], 2)]);
    expect(state.view.lastSeq).toBe(2);
    expect(texts(state)).toEqual(["after"]);
  });
});

describe("growing text", () => {
  test("deltas grow one item, which its event replaces under the same key", () => {
    const growing = fold([delta(0, "Hel"), delta(3, "lo")]);
    expect(growing.view.items).toMatchObject([{ text: "Hello", streaming: true }]);
    const whole = fold(place([say("m1", "Hello!")]), growing);
    expect(whole.view.items).toMatchObject([{ text: "Hello!", streaming: false }]);
    expect(whole.view.items[0]!.key).toBe(growing.view.items[0]!.key);
  });

  test("a delta replaces the text from its offset on", () => {
    expect(texts(fold([delta(0, "Hello"), delta(2, "y")]))).toEqual(["Hey"]);
  });

  test("a delta after a lost one is ignored until one joins again", () => {
    const torn = fold([delta(0, "Hello"), delta(9, "?")]);
    expect(texts(torn)).toEqual(["Hello"]);
    expect(texts(fold([delta(0, "Hello again")], torn))).toEqual(["Hello again"]);
  });

  test("growing text stands after everything logged since", () => {
    const state = fold([delta(0, "growing"), ...place([say("m2", "logged")])]);
    expect(texts(state)).toEqual(["logged", "growing"]);
  });

  test("unfinished text disappears with its turn", () => {
    const state = fold([delta(0, "half"), ...place([{ type: "turn_ended", reason: "stopped" }])]);
    expect(texts(state)).toEqual([]);
    expect(texts(fold([delta(4, " more"), delta(0, "again")], state))).toEqual([]);
  });

  test("text left growing by a crash disappears when the next turn starts", () => {
    const next = place([{ type: "turn_started", turnId: "turn-2" }]);
    expect(texts(fold([delta(0, "half"), ...next]))).toEqual([]);
  });

  test("a tool's input grows until its call is logged", () => {
    const piece = { type: "tool_call_delta", turnId: "turn-1", toolCallId: "c1" } as const;
    const growing = fold([{ ...piece, toolName: "Bash", offset: 0, text: '{"command":"l' }]);
    expect(calls(growing)).toMatchObject([{ inputText: '{"command":"l' }]);
    expect(calls(growing)[0]).not.toHaveProperty("input");
    const call = { type: "tool_call", toolCallId: "c1", toolName: "Bash" } as const;
    const whole = fold(place([{ ...call, input: { command: "ls" } }]), growing);
    expect(calls(whole)).toMatchObject([
      { input: { command: "ls" }, key: growing.view.items[0]!.key },
    ]);
    expect(calls(whole)[0]).not.toHaveProperty("inputText");
  });
});

describe("identity", () => {
  const call = { type: "tool_call", toolCallId: "c1", toolName: "Bash", input: {} } as const;

  test("unchanged items keep their identity", () => {
    const loaded = fold(place([say("m1", "a"), call, say("m2", "b")]));
    const { view: before } = loaded;
    const result = { type: "tool_result", toolCallId: "c1", content: "", isError: false } as const;
    const { view: after } = fold(place([result], 4), loaded);
    expect(after.items[0]).toBe(before.items[0]);
    expect(after.items[2]).toBe(before.items[2]);
    expect(after.items[1]).not.toBe(before.items[1]);
    expect(after.interactions).toBe(before.interactions);
    expect(after.queue).toBe(before.queue);
  });

  test("loading earlier events keeps every existing item", () => {
    const events = place([say("m1", "a"), say("m2", "b"), say("m3", "c")]);
    const later = load(events.slice(2));
    const whole = load(events.slice(0, 2), later);
    expect(whole.view.items[2]).toBe(later.view.items[0]);
  });

  test("a new status leaves all lists as they are", () => {
    const state = fold([...place([say("m1", "a")]), delta(0, "growing", "m2")]);
    const { view } = state;
    const status: SessionFrame = { type: "session_status", sessionId: "s", status: "parked" };
    const { items, interactions, queue, ...facts } = fold([status], state).view;
    expect(facts.status).toBe("parked");
    expect([items, interactions, queue]).toEqual([view.items, view.interactions, view.queue]);
    expect(items).toBe(view.items);
  });

  test("a retry of the agent is shown until another status, or the end of its turn", () => {
    const begun = fold(place([{ type: "turn_started" }]));
    const status = { type: "session_status", sessionId: "s", status: "running" } as const;
    const retrying: SessionFrame = { ...status, turnId: "turn-1", retrying: true };
    const shown = fold([retrying], begun);
    expect(shown.view.isRetrying).toBe(true);
    expect(fold([{ ...status, turnId: "turn-1" }], shown).view).not.toHaveProperty("isRetrying");
    const ended = fold(place([{ type: "turn_ended", reason: "done" }], 2), shown);
    expect(ended.view).not.toHaveProperty("isRetrying");
  });

  test("pings and presence change nothing", () => {
    const state = fold(place([say("m1", "a")]));
    const presence: SessionFrame = { type: "presence", clients: [], answerable: false };
    expect(fold([{ type: "ping", at: AT }, presence], state)).toBe(state);
  });

  test("keys are unique even when an agent uses an id twice, and nothing it said is lost", () => {
    const events = place([say("m1", "first"), call, say("m1", "second"), call]);
    for (const whole of [fold(events), load(events.slice(0, 2), load(events.slice(2)))]) {
      expect(texts(whole)).toEqual(["first", "second"]);
      expect(new Set(whole.view.items.map(({ key }) => key)).size).toBe(4);
    }
  });

  test.each([
    ["followed", (events: readonly SessionEvent[]) => fold(events)],
    ["loaded", (events: readonly SessionEvent[]) => load(events)],
    [
      "loaded in two pages",
      (events: readonly SessionEvent[]) => load(events.slice(0, 2), load(events.slice(2))),
    ],
  ])("[R-10] a result belongs to the newest call with its id, %s", (_, read) => {
    const result = (content: string) => ({
      type: "tool_result" as const,
      toolCallId: call.toolCallId,
      content,
      isError: false,
    });
    const whole = read(place([call, result("one"), call, result("two")]));
    expect(calls(whole).map(({ result: got }) => got?.content)).toEqual(["one", "two"]);
  });
});

describe("[R-10] a permission mode that was changed elsewhere", () => {
  const changes = place([
    { type: "session_updated", permissionMode: "plan" },
    say("m1", "Hello"),
    { type: "session_updated", permissionMode: "default" },
  ]);

  test("is shown at once", () => {
    const first = fold(changes.slice(0, 1));
    expect(first.view.permissionMode).toBe("plan");
    expect(fold(changes.slice(1), first).view.permissionMode).toBe("default");
  });

  test("is shown by a page that loads the history", () => {
    expect(load(changes).view.permissionMode).toBe("default");
    expect(load(changes.slice(0, 2), load(changes.slice(2))).view.permissionMode).toBe("default");
  });
});

describe("interactions", () => {
  test("[R-10] with a record newer than the log are not set back", () => {
    const asked = createQuestion({ status: "pending" });
    const { interactionId, turnId } = asked;
    const answer = { action: "cancel" } as const;
    const answered = { ...asked, status: "answered", response: answer, holdChanges: 2 } as const;
    const events = place([
      { type: "interaction_request", interaction: asked },
      { type: "interaction_hold_changed", turnId, interactionId, hold: "parked", holdChanges: 1 },
    ]);
    const state = fold(events, withInteractions(createSessionState(), [answered]));
    expect(state.view.interactions.get(interactionId)).toMatchObject({
      status: "answered",
      hold: "held",
    });
  });

  const call = { type: "tool_call", toolCallId: "c1", toolName: "Ask", input: {} } as const;
  const ask = (interactionId: string, turnId: string): Bare<UnplacedEvent> => ({
    type: "interaction_request",
    turnId,
    interaction: createQuestion({ interactionId, turnId, toolCallId: "c1" }),
  });

  test("[R-15] belong to the call of their turn, even if another turn's has the same id", () => {
    const events = place([
      { ...call, turnId: "turn-1" },
      ask("i1", "turn-1"),
      { ...call, turnId: "turn-2" },
      ask("i2", "turn-2"),
      { ...call, turnId: "turn-2", toolCallId: "c2" },
    ]);
    const state = fold(events);
    expect(calls(state).map(({ interactionIds }) => interactionIds)).toEqual([["i1"], ["i2"], []]);
    expect(state.view.items).toHaveLength(3);
  });

  test("stand alone until their call is there", () => {
    const alone = fold(place([ask("i1", "turn-1"), ask("i2", "turn-1")]));
    expect(alone.view.items.map(({ type }) => type)).toEqual(["interaction", "interaction"]);
    const hanging = fold(place([call], 3), alone);
    expect(hanging.view.items).toMatchObject([{ type: "tool_call", interactionIds: ["i1", "i2"] }]);
  });

  test("with a separate presentation stand alone next to their call", () => {
    const interaction = createQuestion({ toolCallId: "c1", presentation: "questionnaire" });
    const { view } = fold(place([call, { type: "interaction_request", interaction }]));
    expect(view.items.map(({ type }) => type)).toEqual(["tool_call", "interaction"]);
  });

  test("a session waits while one of them is pending", () => {
    const asked = fold(place([{ type: "turn_started" }, ask("i1", "turn-1")]));
    expect(asked.view.status).toBe("waiting");
    const by = { person: "Ada", client: "Phone", at: AT };
    const response = {
      type: "interaction_response",
      interactionId: "i1",
      action: "cancel",
    } as const;
    const answered = fold(place([{ ...response, by }], 3), asked);
    expect(answered.view.status).toBe("running");
    expect(answered.view.interactions.get("i1")).toMatchObject({
      status: "answered",
      response: { action: "cancel" },
      by,
    });
    expect(answered.view.interactions.get("i1")!.response).toEqual({ action: "cancel" });
  });

  test("[R-10] hold no turn for a queued tool call, neither their own nor a later one", () => {
    const queued = place([
      { type: "turn_started" },
      ask("i1", "turn-1"),
      { type: "interaction_hold_changed", interactionId: "i1", hold: "queued" },
    ]);
    const own = fold(queued);
    expect(own.view.status).toBe("running");
    expect(own.view.interactions.get("i1")).toMatchObject({ status: "pending", hold: "queued" });
    const later: Bare<UnplacedEvent>[] = [
      { type: "turn_ended", reason: "done" },
      { type: "turn_started", turnId: "turn-2" },
    ];
    expect(fold(place(later, 4), own).view.status).toBe("running");
    const both = fold(place([...later, ask("i2", "turn-2")], 4), own);
    expect(both.view.status).toBe("waiting");
  });
});

describe("work in a session of 10,000 messages", () => {
  const long = fold(place(Array.from({ length: 10_000 }, (_, index) => say(`m${index}`, "x"))));
  const countChanged = (after: SessionState): number =>
    after.view.items.filter((item, index) => item !== long.view.items[index]).length;

  test("a piece of text changes only the growing item", () => {
    const after = fold([delta(0, "Hel", "m10000"), delta(3, "lo", "m10000")], long);
    expect(after.log).toBe(long.log);
    expect(countChanged(after)).toBe(1);
  });

  test("an event copies one page of items and adds one", () => {
    const after = fold(place([say("m10000", "y")], 10_001), long);
    const copied = after.log.items.filter((page) => !long.log.items.includes(page));
    expect(copied).toHaveLength(1);
    expect(long.log.items.length).toBeGreaterThan(3);
    expect(countChanged(after)).toBe(1);
  });

  test("an earlier page leaves every existing item as it is", () => {
    const later = long.events.map((event) => ({ ...event, seq: event.seq + 200 }));
    const [page, state] = [fold(place(Array(200).fill(say("m", "x")))).events, load(later)];
    const after = load(page, state);
    expect(after.view.items).toHaveLength(10_200);
    const kept = after.view.items.slice(200).filter((item, i) => item === state.view.items[i]);
    expect(kept).toHaveLength(10_000);
  });
});

test("folding 100,000 events costs no more per event than folding a few", () => {
  const events: SessionEvent[] = [];
  for (let turn = 0; events.length < 100_000; turn += 1) {
    const turnId = `turn-${turn}`;
    const call = { type: "tool_call", turnId, toolCallId: "c1", toolName: "Bash" } as const;
    const end = { type: "tool_result", turnId, toolCallId: "c1", isError: false } as const;
    events.push(
      ...place(
        [
          { ...say("m1", "Words"), turnId },
          { ...call, input: {} },
          { ...end, content: "" },
          { ...say("m2", "More words"), turnId },
        ],
        events.length + 1,
      ),
    );
  }
  const before = process.cpuUsage();
  const { view } = fold(events);
  const foldedMs = process.cpuUsage(before).user / 1000;
  expect(view.items).toHaveLength(75_000);
  expect(foldedMs).toBeLessThan(5000); // A fold that copies lists takes minutes; this one a quarter of a second.
});

describe("a call that a grant let run", () => {
  const used = { type: "grant_used", grantId: "grant-1", toolCallId: "call-1", toolName: "Bash" };
  const called = { type: "tool_call", toolCallId: "call-1", toolName: "Bash", input: {} };

  test.each([
    [used, called],
    [called, used],
  ])("[R-10] is recognised by its key, in any order and pages of the log", (...events) => {
    const placed = place(events as Bare<UnplacedEvent>[]);
    const live = fold(placed);
    expect(live.view.grantUses.get(calls(live)[0]!.key)).toBe("grant-1");
    const whole = load([placed[0]!], load([placed[1]!]));
    expect(whole.view.grantUses).toEqual(live.view.grantUses);
  });
});

test("[R-5] a call that its agent refused is shown as denied, and a failed one is not", () => {
  const called = { type: "tool_call", toolCallId: "call-1", toolName: "Bash", input: {} };
  const failed = { type: "tool_result", toolCallId: "call-1", content: "No.", isError: true };
  const [refused, ran] = [{ ...failed, refused: true }, failed].map((result) =>
    fold(place([called, result] as Bare<UnplacedEvent>[])),
  );
  expect(calls(refused!)).toMatchObject([{ isDenied: true, result: { isError: true } }]);
  expect(calls(ran!)[0]).not.toHaveProperty("isDenied");
});

test("[R-5] a call that a rule denied is shown as denied, and not as allowed to run", () => {
  const used = { type: "grant_used", grantId: "grant-1", toolCallId: "call-1", toolName: "Bash" };
  const called = { type: "tool_call", toolCallId: "call-1", toolName: "Bash", input: {} };
  const [denied, asked] = (["deny", "ask"] as const).map((verdict) =>
    fold(place([called, { ...used, verdict }] as Bare<UnplacedEvent>[])),
  );
  expect(calls(denied!)).toMatchObject([{ isDenied: true }]);
  expect(calls(asked!)[0]).not.toHaveProperty("isDenied");
  expect([...denied!.view.grantUses, ...asked!.view.grantUses]).toEqual([]);
});

describe("the model that the agent uses", () => {
  const updates = (count: number) =>
    place(
      [
        { type: "session_updated" as const, activeModel: "opus-5" },
        { type: "session_updated" as const, model: "sonnet" },
        { type: "session_updated" as const, activeModel: "sonnet-5" },
      ].slice(0, count),
    );
  const modelsOf = ({ view }: SessionState) => [view.model, view.activeModel];
  const told = {
    sessionId: "ses_1",
    agent: "claude",
    cwd: "/",
    title: "",
    permissionMode: "default",
    status: "idle",
    createdAt: AT,
    updatedAt: AT,
    lastSeq: 0,
    model: "haiku",
    activeModel: "haiku-5",
  } as const;

  test("[R-10] is the one it reported after the last choice, live and loaded", () => {
    const expected = [
      ["haiku", "haiku-5"],
      ["haiku", "opus-5"],
      ["sonnet", undefined],
      ["sonnet", "sonnet-5"],
    ];
    const begin = () => withSession(createSessionState(), told);
    for (const [count, models] of expected.entries()) {
      expect(modelsOf(fold(updates(count), begin()))).toEqual(models);
    }
    for (const count of [2, 3]) expect(modelsOf(load(updates(count)))).toEqual(expected[count]);
  });
});
