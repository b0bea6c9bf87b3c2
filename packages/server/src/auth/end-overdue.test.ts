import { createMemoryCredentialStore, Credentials } from "@holdpoint/engine";
import { createSequentialIds, SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { StreamRegistry } from "../streams/stream-registry.ts";
import { waitFor } from "../testing/wait-for.ts";
import { endOverdue } from "./end-overdue.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

test("expired devices and programs are deleted, and an open page counts as use up to the last day", async () => {
  const clock = new SimulatedClock();
  const store = createMemoryCredentialStore();
  const credentials = new Credentials({ store, clock, ids: createSequentialIds() });
  const streams = new StreamRegistry(
    { perCredential: 32, perPerson: 32 },
    { clock, endOf: async () => Infinity },
  );
  const device = { kind: "device", person: "Ada", label: "Phone" } as const;
  const { credential: open } = await credentials.issue(device);
  await credentials.issue(device);
  const expiresAtMs = clock.now() + 10 * DAY_MS;
  await credentials.issue({ ...device, kind: "program", expiresAtMs });
  await credentials.issue({ ...device, kind: "agent" });
  const ends = Promise.withResolvers<unknown>();
  streams.run({ person: "Ada", tokenId: open.tokenId }, async (ended) => {
    ended.addEventListener("abort", () => ends.resolve(ended.reason));
    await ends.promise;
  });
  credentials.onRevoked(async (tokenId) => streams.revoke(tokenId));
  const onError = (error: unknown): void => expect.unreachable(String(error));
  using _ = endOverdue({ credentials, streams, lifetimes: {}, clock, onError });
  const left = async (): Promise<string[]> =>
    (await credentials.list()).map(({ tokenId }) => tokenId.replace("tok_", ""));
  const leftAfter = async (days: number, expected: string): Promise<void> => {
    for (let hour = 0; hour < days * 24; hour += 1) await clock.advance(HOUR_MS);
    await waitFor(async () => expect((await left()).join("")).toBe(expected));
  };
  await leftAfter(39, "1234");
  await leftAfter(1, "124");
  await leftAfter(20, "14");
  await leftAfter(119, "14");
  await leftAfter(1, "4");
  expect(await ends.promise).toBe("revoked");
});
