import { openToolBench } from "holdpoint/testing";
import { expect, test } from "vitest";

import sendInvoice from "./tools/send-invoice.ts";

const invoice = { customer: "Ada", cents: 4200 };

test("[R-5] sends nothing that was denied or not answered", async () => {
  await using bench = await openToolBench({ tool: sendInvoice });
  const denied = bench.call(invoice);
  await bench.answer({ action: "deny", reason: "Paid already." });
  expect(await denied).toEqual({ sent: false, reason: "Paid already." });

  const alone = bench.call(invoice, "call-2");
  await bench.waiting();
  await bench.clock.advance(600_000);
  expect(await alone).toMatchObject({ code: "INTERACTION_TIMEOUT" });
});
