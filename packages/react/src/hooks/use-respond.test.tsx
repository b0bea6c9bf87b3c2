// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import type { RespondBody, RespondResult } from "@holdpoint/protocol";
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { anApprovalInteraction } from "../testing/interactions.ts";
import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useRespond } from "./use-respond.ts";

afterEach(cleanup);

const ACCEPTED: RespondResult = { status: "accepted", interaction: anApprovalInteraction() };

/** A gateway that does with each try what the next step says. */
function setUp(...steps: (() => Promise<RespondResult>)[]) {
  const sent: [string, RespondBody][] = [];
  const respond = (interactionId: string, body: RespondBody) => {
    sent.push([interactionId, body]);
    return (steps.shift() ?? (() => Promise.resolve(ACCEPTED)))();
  };
  return { sent, ...renderInProvider(useRespond, undefined, { transport: { respond } }) };
}

test("a response is sent once, with a new key, and the hook returns the same function", async () => {
  const { result, rerender, sent } = setUp();
  const respond = result.current;
  rerender();
  expect(result.current).toBe(respond);
  expect(await respond("int_1", { action: "deny" })).toBe(ACCEPTED);
  await respond("int_2", { action: "deny" });
  expect(sent.map(([interactionId]) => interactionId)).toEqual(["int_1", "int_2"]);
  const keys = sent.map(([, { idempotencyKey }]) => idempotencyKey);
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(2);
});

test("[R-1] a broken-off try is repeated under the same key, even if its card is gone", async () => {
  const first = Promise.withResolvers<RespondResult>();
  const { result, unmount, clock, sent } = setUp(() => first.promise);
  const answered = result.current("int_1", { action: "approve", digest: "d" });
  unmount();
  first.reject(new ClientError("CONNECTION_CLOSED", "Broke off."));
  await clock.advance(60_000);
  expect(await answered).toBe(ACCEPTED);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test("a refusal is a result, and another failure is thrown at once", async () => {
  const problem = { code: "EXPIRED" } as Extract<RespondResult, { status: "refused" }>["problem"];
  const wrong = new Error("Wrong.");
  const { result, sent } = setUp(
    () => Promise.resolve({ status: "refused", problem }),
    () => Promise.reject(wrong),
  );
  expect(await result.current("int_1", { action: "deny" })).toEqual({ status: "refused", problem });
  await expect(result.current("int_1", { action: "deny" })).rejects.toBe(wrong);
  expect(sent).toHaveLength(2);
});
