import { createMemoryCredentialStore } from "@holdpoint/engine/testing";
import { createServer } from "@holdpoint/server";
import { createSystemClock } from "holdpoint/engine";
import { openToolBench } from "holdpoint/testing";
import { expect, test } from "vitest";

import { denyUntilMorning } from "./nightly-job.ts";
import sendInvoice from "./tools/send-invoice.ts";

const TOKEN = "guide-".padEnd(43, "0");

test("a program denies over HTTP what waits, and the agent gets its reason", async () => {
  await using bench = await openToolBench({ tool: sendInvoice });
  await using server = createServer({
    gateway: bench.gateway,
    credentials: createMemoryCredentialStore(),
    clock: createSystemClock(),
    version: "0.0.0",
    personToken: TOKEN,
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const result = bench.call({ customer: "Ada", cents: 4200 });
  await bench.waiting();
  expect(await denyUntilMorning(url, TOKEN)).toEqual(["accepted"]);
  expect(await result).toEqual({ sent: false, reason: "send_invoice must wait for the morning." });
});
