import { once } from "node:events";

import { expect, test, vi } from "vitest";

import { serveBench, TOKEN } from "./serve-bench.ts";
import { watchInbox } from "./watch-inbox.ts";

test("a program receives pending and new requests over the WebSocket, each once", async () => {
  await using bench = await serveBench();
  const told: string[] = [];
  const first = bench.call({ customer: "Ada", cents: 4200 });
  await bench.waiting();
  const socket = watchInbox(bench.url, TOKEN, (prompt) => told.push(prompt));
  await vi.waitFor(() => expect(told).toEqual(["Send an invoice to Ada?"]));
  await bench.answer({ action: "deny" });
  await first;
  const second = bench.call({ customer: "Bo", cents: 100 }, "call-2");
  await bench.waiting();
  await vi.waitFor(() => expect(told.slice(1)).toEqual(["Send an invoice to Bo?"]));
  const closed = once(socket, "close");
  socket.close();
  await closed;
  await bench.answer({ action: "deny" });
  expect(await second).toEqual({ sent: false });
});
