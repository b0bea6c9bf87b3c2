import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { ProofNonces } from "./proof-nonces.ts";

const NEWEST_MS = 2 * 60_000;

function open() {
  const clock = new SimulatedClock();
  return { clock, nonces: new ProofNonces(clock) };
}

test("[R-13] the nonce before the current one is valid, for proofs on their way", async () => {
  const { clock, nonces } = open();
  const before = nonces.current;
  await clock.advance(NEWEST_MS);
  expect(nonces.current).not.toBe(before);
  expect(nonces.use(before, "proof-1")).toBe("fresh");
});

test("[R-13] a proof is accepted once, even after its nonce has been replaced", async () => {
  const { clock, nonces } = open();
  const before = nonces.current;
  expect(nonces.use(before, "proof-1")).toBe("fresh");
  await clock.advance(NEWEST_MS);
  expect(nonces.use(before, "proof-1")).toBe("replayed");
  expect(nonces.use(before, "proof-2")).toBe("fresh");
});

test("[R-13] a nonce is valid for four minutes", async () => {
  const { clock, nonces } = open();
  const before = nonces.current;
  await clock.advance(NEWEST_MS);
  expect(nonces.use(before, "proof-1")).toBe("fresh");
  await clock.advance(NEWEST_MS - 1);
  expect(nonces.use(before, "proof-2")).toBe("fresh");
  await clock.advance(1);
  expect(nonces.use(before, "proof-3")).toBe("stale");
});

test("[R-13] after a long silence no earlier nonce is valid", async () => {
  const { clock, nonces } = open();
  const before = nonces.current;
  await clock.advance(2 * NEWEST_MS);
  expect(nonces.use(before, "proof-1")).toBe("stale");
});

test("[R-13] a nonce of another process is stale", () => {
  const { nonces } = open();
  expect([nonces.use("", "proof-1"), nonces.use(open().nonces.current, "proof-1")]).toEqual([
    "stale",
    "stale",
  ]);
});

test("[R-13] a proof id is accepted once per nonce, and again with another one", async () => {
  const { clock, nonces } = open();
  expect(nonces.use(nonces.current, "proof-1")).toBe("fresh");
  expect(nonces.use(nonces.current, "proof-1")).toBe("replayed");
  await clock.advance(NEWEST_MS);
  expect(nonces.use(nonces.current, "proof-1")).toBe("fresh");
});
