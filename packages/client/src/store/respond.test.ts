import { ProtocolError, type RespondBody, type RespondResult } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import { createSimulatedClock, type SimulatedClock } from "../testing/simulated-clock.ts";
import { ClientError } from "../transports/client-error.ts";
import { sendResponse } from "./respond.ts";

const ACCEPTED: RespondResult = { status: "accepted", interaction: createQuestion() };
const BROKEN = new ClientError("CONNECTION_CLOSED", "Gone.");

function setUp(outcomes: readonly (Error | RespondResult)[]) {
  const left = [...outcomes];
  const bodies: RespondBody[] = [];
  let keys = 0;
  const clock = createSimulatedClock();
  const randomness = { fraction: () => 0.5, key: () => `key-number-${(keys += 1)}` };
  const transport = {
    async respond(_interactionId: string, body: RespondBody) {
      bodies.push(body);
      const outcome = left.shift();
      if (outcome instanceof Error || outcome === undefined) {
        throw outcome ?? new Error("Too many.");
      }
      return outcome;
    },
  };
  const send = (body: RespondBody, signal?: AbortSignal): Promise<RespondResult> =>
    sendResponse(transport, "int", body, { clock, randomness, ...(signal && { signal }) });
  return { bodies, clock, send };
}

/** Lets time pass until the work is over. */
async function outcomeOf(work: Promise<unknown>, clock: SimulatedClock): Promise<unknown> {
  const settled = work.catch((error: unknown) => error);
  await clock.advance(600_000);
  return settled;
}

describe("sendResponse", () => {
  test("retries with the same key until it is acknowledged", async () => {
    const draining = new ProtocolError("DRAINING", "Stopping.");
    const full = new ProtocolError("STORE_UNAVAILABLE", "Full.");
    const { bodies, clock, send } = setUp([BROKEN, draining, full, ACCEPTED]);
    expect(await outcomeOf(send({ action: "cancel" }), clock)).toBe(ACCEPTED);
    expect(bodies).toEqual(
      Array.from({ length: 4 }, () => ({ action: "cancel", idempotencyKey: "key-number-1" })),
    );
  });

  test("gives two submissions two keys, and keeps a given key", async () => {
    const { bodies, send } = setUp([ACCEPTED, ACCEPTED, ACCEPTED]);
    await send({ action: "cancel" });
    await send({ action: "cancel" });
    await send({ action: "cancel", idempotencyKey: "key-of-the-card" });
    expect(bodies.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "key-number-1",
      "key-number-2",
      "key-of-the-card",
    ]);
  });

  test("gives up after a few tries with the last error", async () => {
    const last = new ClientError("REQUEST_TIMEOUT", "Silence.");
    const { bodies, clock, send } = setUp([BROKEN, BROKEN, BROKEN, last]);
    expect(await outcomeOf(send({ action: "cancel" }), clock)).toBe(last);
    expect(bodies).toHaveLength(4);
  });

  test.each([
    new ProtocolError("NOT_FOUND", "Gone."),
    new ProtocolError("INTERACTION_DISABLED", "Off."),
    new ClientError("BAD_ANSWER", "What?"),
  ])("does not repeat a failure that a retry cannot fix: $code", async (error) => {
    const { bodies, clock, send } = setUp([error]);
    expect(await outcomeOf(send({ action: "cancel" }), clock)).toBe(error);
    expect(bodies).toHaveLength(1);
  });

  test("[R-18] stops waiting on an abort, with its reason", async () => {
    const { bodies, clock, send } = setUp([BROKEN]);
    const caller = new AbortController();
    const reason = new Error("Closed the card.");
    const work = outcomeOf(send({ action: "cancel" }, caller.signal), clock);
    queueMicrotask(() => caller.abort(reason));
    expect(await work).toBe(reason);
    expect(bodies).toHaveLength(1);
    expect(clock.sleeperCount).toBe(0);
  });
});
