import { expect, test } from "vitest";

import { denyUntilMorning } from "./nightly-job.ts";
import { serveBench, TOKEN } from "./serve-bench.ts";

test("a program denies over HTTP what waits, and the agent gets its reason", async () => {
  await using bench = await serveBench();
  const result = bench.call({ customer: "Ada", cents: 4200 });
  await bench.waiting();
  expect(await denyUntilMorning(bench.url, TOKEN)).toEqual(["accepted"]);
  expect(await result).toEqual({ sent: false, reason: "send_invoice must wait for the morning." });
});
