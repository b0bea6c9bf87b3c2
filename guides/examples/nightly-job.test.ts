import { createHttpTransport } from "holdpoint/client";
import { expect, test } from "vitest";

import { denyUntilMorning } from "./nightly-job.ts";
import { serveBench, TOKEN } from "./serve-bench.ts";

test("a program denies every pending approval over HTTP, and the agent gets its reason", async () => {
  await using bench = await serveBench();
  const result = bench.call({ customer: "Ada", cents: 4200 });
  await bench.waiting();
  expect(await denyUntilMorning(bench.url, TOKEN)).toEqual(["accepted"]);
  expect(await result).toEqual({ sent: false, reason: "send_invoice must wait for the morning." });
});

test("a program denies more approvals than one page of the list holds", async () => {
  await using bench = await serveBench();
  const person = createHttpTransport({ baseUrl: bench.url, token: TOKEN, clientId: "test" });
  const { signal } = new AbortController();
  const calls: Promise<unknown>[] = [];
  for (let session = 0; session < 11; session++) {
    const { sessionId } = await person.createSession({ agent: "test" });
    for (let call = 0; call < 20; call++) {
      const args = { customer: "Ada", cents: 1 };
      const named = { sessionId, toolCallId: `call-${call}`, name: "send_invoice", args };
      calls.push(bench.gateway.tools.call(named, { signal }).result);
    }
  }
  await bench.waiting();
  expect(await denyUntilMorning(bench.url, TOKEN)).toHaveLength(calls.length);
  await Promise.all(calls);
});
