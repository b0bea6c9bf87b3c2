import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { openCallbacks, SECRET } from "@holdpoint/notify/testing";
import { expect, onTestFinished, test } from "vitest";

import { receiveAsks } from "./receive-asks.ts";

test("the receiver learns which ask is over, and refuses unsigned and old messages", async () => {
  const over: string[] = [];
  const server = receiveAsks(SECRET, (askId) => over.push(askId)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/`;
  const clock = new SimulatedClock(Date.now());
  const scene = await openCallbacks([{ host, secret: SECRET }], { clock });
  const ask = await scene.ask(url);
  await scene.answer(ask, { action: "approve" });
  await scene.callbackIs(ask, { state: "delivered" });
  expect(over).toEqual([ask.interactionId]);

  const forged = { method: "POST", body: '{"data":{"interactionId":"int_forged"}}' };
  expect((await fetch(url, forged)).status).toBe(401);
  for (const of of [
    { hosts: [{ host, secret: "another secret of sixteen" }], clock },
    { hosts: [{ host, secret: SECRET }], clock: new SimulatedClock(Date.now() - 3_600_000) },
  ]) {
    const other = await openCallbacks(of.hosts, { clock: of.clock });
    const refused = await other.ask(url);
    await other.answer(refused, { action: "approve" });
    await other.callbackIs(refused, { state: "failed" });
  }
  expect(over).toEqual([ask.interactionId]);
});
