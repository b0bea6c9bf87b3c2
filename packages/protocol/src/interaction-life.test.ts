import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { foldInteraction } from "./interaction-event.ts";
import type {
  InteractionEvent,
  InteractionInput,
  InteractionMove,
  InteractionPhase,
} from "./interaction-input.ts";
import { transition } from "./interaction-life.ts";
import { isAhead, isAnswerable, isFinal } from "./interaction-status.ts";
import type { Interaction } from "./interaction.ts";
import { interactionTable, type Expected } from "./testing/interaction-table.ts";
import { said, voter } from "./testing/voters.ts";

const early = "2026-01-01T00:00:30.000Z";
const deadlineAt = "2026-01-01T00:01:00.000Z";
const after = "2026-01-01T00:01:00.001Z";
const by = { person: "Ada", client: "phone", at: early };

/** A vote where two people have to say yes. */
const vote = said(voter("ada"), "approve", early);
const two = { responders: { circles: [], need: 2 } };

const inputs: Record<InteractionMove, InteractionInput> = {
  vote,
  note: { type: "note", note: { type: "comment", text: "Which one?" }, by },
  respond: { type: "respond", response: { action: "submit", reply: "yes" }, by },
  deadline: { type: "deadline", at: after },
  withdraw: { type: "withdraw", at: early, reason: "stopped" },
  orphan: { type: "orphan", at: early, reason: "gone" },
  park: { type: "park", at: early },
  hold: { type: "hold", at: early },
  queue: { type: "queue", at: early },
  lapse: { type: "lapse", at: after },
  dismiss: { type: "dismiss", at: after, reason: "Dismissed by Ada." },
  reopen: { type: "reopen", by, to: "pending" },
  deliver: { type: "deliver", at: early, how: "resumed", turnId: "trn_2" },
  overrule: { type: "overrule", at: early },
};
const phases = Object.keys(interactionTable) as InteractionPhase[];
const moves = Object.keys(inputs) as InteractionMove[];
const inputTypes = moves.filter((move) => move !== "vote");
const policies = ["wait", "deny", "handler"] as const;

function create(patch: Partial<Interaction> = {}): Interaction {
  return {
    interactionId: "int_1",
    sessionId: "ses_1",
    turnId: "trn_1",
    toolCallId: "t1",
    toolName: "ask",
    kind: "question",
    status: "pending",
    attempt: 1,
    presentation: "tool",
    startedAt: "2026-01-01T00:00:00.000Z",
    deadlineAt,
    onTimeout: "wait",
    hold: "held",
    ...patch,
  };
}

/** An interaction in that phase. */
function createIn(phase: InteractionPhase, patch: Partial<Interaction>): Interaction {
  const changed = CHANGED_HOLDS[phase];
  // From its beginning, so that it keeps its deadline.
  if (phase === "kept") return create({ ...changed, ...patch });
  if (!changed) return create({ status: phase as Interaction["status"], ...patch });
  const { deadlineAt: _, ...endless } = create({ ...changed, ...patch });
  return endless;
}

/** The interaction in phases without a separate status. */
const CHANGED_HOLDS: Partial<Record<InteractionPhase, Pick<Interaction, "status" | "hold">>> = {
  queued: { status: "pending", hold: "queued" },
  parked: { status: "pending", hold: "parked" },
  resuming: { status: "answered", hold: "parked" },
  kept: { status: "pending", hold: "kept" },
};

/** The expected interaction in that phase. */
function looksLike(phase: InteractionPhase): Partial<Interaction> {
  return CHANGED_HOLDS[phase] ?? { status: phase as Interaction["status"] };
}

function effectOf(expected: Expected): string | undefined {
  return "to" in expected ? expected.effect : undefined;
}

describe("the table of every phase, input and policy", () => {
  for (const phase of phases) {
    for (const type of moves) {
      for (const onTimeout of policies) {
        const expected = interactionTable[phase][type][onTimeout];
        const outcome = "to" in expected ? `becomes ${expected.to}` : expected.refused;
        test(`${phase} + ${type} with ${onTimeout}: ${outcome}`, () => {
          const before = createIn(phase, { onTimeout, ...(type === "vote" && two) });
          const frozen = structuredClone(before);
          const next = transition(before, inputs[type]);
          expect(next).toMatchObject(
            "to" in expected
              ? { status: "moved", interaction: looksLike(expected.to) }
              : { status: "refused", reason: expected.refused },
          );
          const effect = next.status === "moved" ? next.effect : undefined;
          expect(effect).toBe(effectOf(expected));
          expect(before).toEqual(frozen);
        });
      }
    }
  }
});

describe("time", () => {
  test("a queued or parked interaction has no deadline", () => {
    for (const input of [inputs.queue, inputs.park]) {
      expect(transition(create(), input)).not.toHaveProperty("interaction.deadlineAt");
    }
  });

  test("[R-3] a response at or after the deadline is late", () => {
    for (const at of [deadlineAt, after]) {
      const event = { ...inputs.respond, by: { ...by, at } } as InteractionInput;
      expect(transition(create(), event)).toEqual({
        status: "refused",
        reason: "deadline_passed",
      });
    }
  });

  test("[R-3] a future deadline closes nothing", () => {
    expect(transition(create(), { type: "deadline", at: early })).toEqual({
      status: "refused",
      reason: "not_due",
    });
  });

  test("[R-3] an interaction without a deadline waits forever", () => {
    const { deadlineAt: _, ...endless } = create();
    expect(transition(endless, { type: "deadline", at: "2199-01-01T00:00:00.000Z" })).toEqual({
      status: "refused",
      reason: "not_due",
    });
  });
});

test("[R-4] an answer that an agent already has is not delivered again, whichever way it arrived", () => {
  for (const how of ["resumed", "user_message", "unknown"] as const) {
    const delivered = create({ status: "delivered", how });
    expect(transition(delivered, inputs.deliver)).toEqual({
      status: "refused",
      reason: "already_delivered",
    });
  }
});

describe("taking back a response", () => {
  const respond = { ...inputs.respond, undoMs: 5000 } as InteractionInput;

  test("[R-4] is possible only while no running agent has it", () => {
    expect(moved(create(), respond)).not.toHaveProperty("undoUntil");
    const parked = createIn("parked", {});
    const answered = moved(parked, respond);
    expect(answered).toMatchObject({ status: "answered", undoUntil: "2026-01-01T00:00:35.000Z" });
    expect(moved(answered, inputs.reopen)).toEqual({ ...parked, reopenings: 1 });
    expect(transition(moved(answered, inputs.hold), inputs.reopen)).toMatchObject({
      reason: "taken",
    });
  });

  test("[R-4] leaves an interaction that is delivered as a message unchanged", () => {
    const queued = createIn("queued", {});
    expect(moved(moved(queued, respond), inputs.reopen)).toEqual({ ...queued, reopenings: 1 });
    const closed = { closedAt: after, closedReason: "late" };
    for (const status of ["expired", "orphaned"] as const) {
      const late = create({ status, ...closed });
      const reopen = { ...inputs.reopen, to: status } as InteractionInput;
      expect(moved(moved(late, respond), reopen)).toEqual({ ...late, reopenings: 1 });
    }
  });

  test("[R-10] the newer of two records is the one with more reopenings", () => {
    const parked = createIn("parked", {});
    const answered = moved(parked, respond);
    const reopened = moved(answered, inputs.reopen);
    expect(isAhead(reopened, answered)).toBe(true);
    expect(isAhead(answered, reopened)).toBe(false);
    expect(isAhead(moved(reopened, respond), reopened)).toBe(true);
  });

  function moved(before: Interaction, input: InteractionInput): Interaction {
    const next = transition(before, input);
    if (next.status !== "moved") throw new Error(next.reason);
    return next.interaction;
  }
});

describe("every walk", () => {
  const input = fc.constantFrom(...inputTypes).map((type) => inputs[type]);
  const walk = fc.array(input, { maxLength: 20 });
  const start = fc.constantFrom(...policies).map((onTimeout) => create({ onTimeout }));

  test("[R-1] [R-4] has at most one response, at most one delivery, and no delivery without a response", () => {
    fc.assert(
      fc.property(start, walk, (first, steps) => {
        const log: string[] = [];
        let current = first;
        for (const step of steps) {
          const next = transition(current, step);
          if (next.status === "refused") continue;
          // An undone response no longer counts.
          if (step.type === "reopen") log.splice(log.lastIndexOf("interaction_response"), 1);
          else log.push(next.event.type, ...(step.type === "dismiss" ? [step.type] : []));
          current = next.interaction;
        }
        const responses = log.filter((type) => type === "interaction_response").length;
        const deliveries = log.filter((type) => type === "interaction_delivered").length;
        expect(responses).toBeLessThanOrEqual(1);
        expect(deliveries).toBeLessThanOrEqual(responses);
        const dismissals = log.filter((type) => type === "dismiss").length;
        const closings = log.filter((type) => type === "interaction_closed").length;
        expect(dismissals).toBeLessThanOrEqual(1);
        expect(closings).toBeLessThanOrEqual(1 + dismissals);
      }),
    );
  });

  test("[R-5] has a response only from a person, and an answerable interaction accepts a response", () => {
    fc.assert(
      fc.property(start, walk, (first, steps) => {
        let current = first;
        for (const step of steps) {
          const takes = transition(current, inputs.respond).status === "moved";
          expect(takes).toBe(isAnswerable(current));
          const next = transition(current, step);
          if (next.status === "moved") current = next.interaction;
          expect(current.by).toEqual(current.response && by);
        }
      }),
    );
  });

  test("[R-10] gives the same result when its events are folded once or twice, and never moves back", () => {
    fc.assert(
      fc.property(start, walk, (first, steps) => {
        let moved = first;
        let folded = first;
        const events: InteractionEvent[] = [];
        for (const step of steps) {
          const next = transition(moved, step);
          if (next.status === "refused") continue;
          events.push({ ...next.event, seq: events.length + 1 } as InteractionEvent);
          moved = next.interaction;
          folded = foldInteraction(folded, events.at(-1)!);
          expect(folded).toEqual(moved);
          for (const old of events) expect(foldInteraction(folded, old)).toBe(folded);
        }
      }),
    );
  });

  test("only moves ahead, and ends at a final status", () => {
    fc.assert(
      fc.property(start, walk, (first, steps) => {
        let current = first;
        for (const step of steps) {
          const next = transition(current, step);
          if (next.status === "refused") continue;
          // A denied call stays denied, and is reported to have run.
          expect(isFinal(current.status)).toBe(step.type === "overrule");
          expect(isAhead(next.interaction, current)).toBe(true);
          expect(isAhead(current, next.interaction)).toBe(false);
          current = next.interaction;
        }
      }),
    );
  });
});
