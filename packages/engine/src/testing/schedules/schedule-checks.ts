import {
  foldInteraction,
  INTERACTION_STATUSES,
  type Interaction,
  type InteractionEvent,
  type SessionEvent,
} from "@holdpoint/protocol";
import { expect } from "vitest";

import { StoreError } from "../../lib/gateway-error.ts";
import { errandSession, talkSession } from "./schedule-steps.ts";
import type { Schedule } from "./schedule.ts";
import { lifeOf, saidIn } from "./session-history.ts";

/** Older than any late interaction in the overview. */
const LATE_AGE_MS = 31 * 24 * 60 * 60 * 1000;

/** Checks everything that must hold at any quiet moment. */
export async function checkMoment(schedule: Schedule): Promise<void> {
  for (const [index, sessionId] of schedule.sessions.entries()) {
    const events = await schedule.process.events(sessionId);
    checkLog(schedule, index, events);
    checkLives(schedule, sessionId, events);
    await checkRows(schedule, sessionId, events);
    checkTalk(schedule, events);
  }
  await checkQuestions(schedule);
  await checkCalls(schedule);
  await schedule.errands.check();
  const { errors } = schedule.process;
  // Only errors of a failed write are reported.
  const isToBeTold = (error: unknown) => schedule.failed.size > 0 && StoreError.isInstance(error);
  expect(errors.filter((error) => !isToBeTold(error))).toEqual([]);
}

/** Each call has the model's state, and each approved input is the one a person saw and approved. */
async function checkCalls(schedule: Schedule): Promise<void> {
  const { calls, ledger, model, said, acknowledged } = schedule;
  for (const [index, call] of calls.entries()) {
    const { interaction, phase, how } = await schedule.row(index);
    const expected = model.calls[index]!;
    expect({ index, phase, how }).toEqual({ index, phase: expected.phase, how: expected.how });
    ledger.meet(phase);
    if (call.outcome) ledger.meet(call.outcome);
    ledger.check("R-5", () => {
      expect({ index, outcome: call.outcome }).toEqual({ index, outcome: expected.outcome });
      if (call.outcome === "approved") {
        expect(interaction).toMatchObject({ response: { action: "approve" }, by: {} });
        expect(said.get(interaction.interactionId)).toContain("approve");
      }
    });
    ledger.check("R-6", () => expect(interaction.approval!.input).toEqual(call.args));
    const action = acknowledged.get(interaction.interactionId);
    if (action) ledger.check("R-2", () => expect(interaction.response?.action).toBe(action));
  }
}

/** The followed log equals the stored log, without gaps; it has no events of another session. */
function checkLog(schedule: Schedule, index: number, events: readonly SessionEvent[]): void {
  const { ledger, followers, sessions } = schedule;
  const follower = followers[index]!;
  ledger.check("R-7", () => {
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
    expect(follower.failure).toBeUndefined();
    expect(follower.events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
  });
  ledger.check("R-10", () => expect(follower.events).toEqual(events));
  ledger.check("R-15", () => {
    for (const event of events) {
      if (event.type !== "interaction_request") continue;
      expect(event.interaction.sessionId).toBe(sessions[index]);
    }
  });
}

/** Each interaction has one life: asked, possibly closed, answered at most once, delivered at most once. */
function checkLives(
  { ledger, crashes }: Schedule,
  sessionId: string,
  events: readonly SessionEvent[],
): void {
  for (const event of events) {
    if (event.type !== "interaction_request") continue;
    const { interactionId, deadlineAt } = event.interaction;
    const life = lifeOf(events, interactionId);
    // Whether its agent runs in between does not matter.
    const steps = life.filter(
      (step) => step.type !== "interaction_hold_changed" || step.hold === "queued",
    );
    const types = steps.map(nameOf).join(" ");
    ledger.check("R-3", () => {
      expect(`${sessionId} ${types}`).toMatch(
        /^\S+ request( hold_changed)?( expired| orphaned)?( withdrawn|( response( delivered)?)?)$/,
      );
      checkTimes(life, deadlineAt);
    });
    const delivery = life.find(({ type }) => type === "interaction_delivered");
    ledger.check("R-4", () => {
      const isLate = / (expired|orphaned|hold_changed) response/.test(types);
      if (delivery?.type === "interaction_delivered" && isLate) {
        expect(delivery.how).toBe("user_message");
      }
      const heard = events.filter(
        (other) => other.type === "user_message" && other.interactionId === interactionId,
      );
      if (delivery?.type === "interaction_delivered" && delivery.how === "user_message") {
        // A message that its agent was about to get when its gateway died is repeated.
        expect(heard.length).toBeGreaterThan(0);
        expect(heard.length).toBeLessThanOrEqual(1 + crashes);
      } else expect(heard).toEqual([]);
    });
  }
}

/** Each row equals its interaction as derived from the log. */
async function checkRows(
  { ledger, process }: Schedule,
  sessionId: string,
  events: readonly SessionEvent[],
): Promise<void> {
  const query = { statuses: INTERACTION_STATUSES, sessionId, limit: 1000 };
  const { items } = await process.store.listInteractions(query);
  for (const { interaction } of items) {
    const folded = fold(lifeOf(events, interaction.interactionId));
    ledger.check("R-10", () => expect(stateOf(interaction)).toEqual(stateOf(folded)));
  }
}

function stateOf({ status, hold, how, response, closedReason }: Interaction) {
  return { status, hold, how, response, closedReason };
}

/** A short name for an event's effect on an interaction. */
function nameOf(event: SessionEvent): string {
  return event.type === "interaction_closed"
    ? event.status
    : event.type.replace("interaction_", "");
}

/** The interaction as derived from its events. */
function fold([request, ...later]: readonly SessionEvent[]): Interaction {
  if (request?.type !== "interaction_request") throw new Error("An interaction begins otherwise.");
  return (later as InteractionEvent[]).reduce(foldInteraction, request.interaction);
}

/**
 * Checks that it expired at its deadline and not before, and was answered before the deadline or after it had
 * expired.
 */
function checkTimes(life: readonly SessionEvent[], deadlineAt: string | undefined): void {
  if (deadlineAt === undefined) return;
  const deadline = Date.parse(deadlineAt);
  let isOpen = true;
  for (const event of life) {
    const atMs = Date.parse(event.at);
    if (event.type === "interaction_closed" && event.status === "expired") {
      expect(atMs).toBeGreaterThanOrEqual(deadline);
    }
    if (event.type === "interaction_response" && isOpen) expect(atMs).toBeLessThan(deadline);
    if (event.type === "interaction_closed" || event.type === "interaction_hold_changed") {
      isOpen = false;
    }
  }
}

/** All texts of agents are in the log in order, and on the correct side of each prompt. */
function checkTalk(
  { ledger, process, followers }: Schedule,
  events: readonly SessionEvent[],
): void {
  const turns = new Set(events.map(({ turnId }) => turnId));
  for (const [turnId, sayings] of process.transcript.sayings) {
    if (!turns.has(turnId)) continue;
    const said = saidIn(events, turnId);
    // For a failed write the agent knows that it was not stored, or that its outcome is unknown.
    const texts = sayings
      .filter(({ text, isRefused }) => !isRefused || said.includes(text))
      .map(({ text }) => text);
    ledger.check("R-8", () => {
      expect(said).toEqual(texts);
      const followed = followers.flatMap((follower) => saidIn(follower.events, turnId));
      expect(followed).toEqual(texts);
      const own = events.filter((event) => event.turnId === turnId);
      for (const [place, event] of own.entries()) {
        if (event.type === "interaction_request") {
          const { toolCallId, interactionId } = event.interaction;
          expect(placeOf(own, `asking ${toolCallId}`)).toBeLessThan(place);
          const response = own.findIndex(
            (other) =>
              other.type === "interaction_response" && other.interactionId === interactionId,
          );
          const heard = placeOf(own, `heard ${toolCallId}`);
          if (response >= 0 && heard >= 0) expect(heard).toBeGreaterThan(response);
        }
      }
    });
  }
}

function placeOf(events: readonly SessionEvent[], text: string): number {
  return events.findIndex((event) => event.type === "assistant_message" && event.text === text);
}

/** In every mode, an agent's questions wait for a person, and grants answer only approvals. */
async function checkQuestions({
  ledger,
  process,
  said,
  sessions,
  failed,
}: Schedule): Promise<void> {
  const { items } = await process.store.listInteractions({
    statuses: ["pending", "answered", "delivered"],
    sessionId: sessions[talkSession]!,
    limit: 1000,
  });
  const asked = new Map(items.map(({ interaction }) => [interaction.toolCallId, interaction]));
  const pending = [...asked.values()].filter(({ status }) => status === "pending");
  const { asking, answers } = process.transcript;
  ledger.check("R-12", () => {
    const waiting = new Set(pending.map(({ toolCallId }) => toolCallId));
    // A request that could not be withdrawn stays, although no agent waits for it.
    if (!failed.has(sessions[talkSession]!)) expect(waiting).toEqual(asking);
    else expect([...asking].filter((toolCallId) => !waiting.has(toolCallId))).toEqual([]);
    for (const [toolCallId, { kind, grantId }] of answers) {
      if (grantId !== undefined) expect(kind).toBe("approval");
      else {
        const { interactionId } = asked.get(toolCallId)!;
        expect(said.get(interactionId)).toContain(kind === "approval" ? "approve" : "submit");
      }
    }
    for (const answer of answers.values()) {
      ledger.meet(answer.grantId === undefined ? "answered by a person" : "answered by a grant");
    }
  });
}

/** Brings everything to its end. Then each response is delivered, and nothing is left behind. */
export async function checkEnd(schedule: Schedule): Promise<void> {
  const { ledger, process, sessions } = schedule;
  for (const session of sessions.keys()) await schedule.take({ type: "stop", session });
  while (process.transcript.asking.size > 0) {
    await schedule.take({ type: "stop", session: talkSession });
  }
  while (schedule.errands.hasOpen) await schedule.take({ type: "stop", session: errandSession });
  await schedule.take({ type: "advance", durationMs: 20_000 });
  await checkMoment(schedule);
  for (const sessionId of sessions) {
    const events = await process.events(sessionId);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count("turn_started")).toBe(count("turn_ended"));
    ledger.check("R-4", () =>
      expect(count("interaction_delivered")).toBe(count("interaction_response")),
    );
  }
  for (const client of process.clients) client.disconnect();
  await process.clock.advance(20_000);
  // Late interactions leave the overview after a while.
  process.clock.jumpWall(LATE_AGE_MS);
  await process.clock.advance(20_000);
  ledger.check("R-14", () => expect(process.clock.timerCount).toBe(0));
}
