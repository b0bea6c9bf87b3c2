import { SimulatedClock } from "@holdpoint/engine/testing";
import { namedIn, seenByOf } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { Asked } from "./follow-pending.ts";
import { Recipients } from "./recipients.ts";

const issuer = "https://login.example/";
const MINUTE_MS = 60_000;

/** Devices of Ada, Bob, the gateway's owner, and Vera who only looks; and an interaction that Ada, and later Bob, may answer. */
async function open(changes: Partial<Asked> = {}) {
  const clock = new SimulatedClock();
  const of = (subject: string) => ({
    tokenId: `phone of ${subject}`,
    personId: `per_${subject}`,
    signIn: { issuer, subject, groups: [], confirmedAtMs: 0 },
  });
  const known: object[] = [of("ada"), of("bob"), of("vera"), { tokenId: "phone of owner" }];
  const told: string[] = [];
  const pending = new Map<string, Asked>();
  const responders = new Recipients({
    clock,
    pending,
    gateway: () => ({
      credentials: { list: async () => known as never },
      viewerOf: ({ personId, signIn }) =>
        personId === undefined
          ? { role: "owner" }
          : { role: personId === "per_vera" ? "viewer" : "responder", personId, signIn },
    }),
    onChange: ({ interactionId }) => void told.push(interactionId),
    onError: (error) => {
      throw error;
    },
  });
  const steps = [{ who: [{ person: "bob", issuer }], afterMs: 5 * MINUTE_MS }];
  const asked: Asked = {
    interactionId: "int_1",
    sessionId: "ses_1",
    kind: "approval",
    startedAt: new Date(clock.now()).toISOString(),
    startedAtMs: clock.now(),
    responders: { circles: [{ who: [{ person: "ada", issuer }], steps }] },
    ...changes,
  };
  pending.set(asked.interactionId, asked);
  const whoIs = () =>
    ["ada", "bob", "owner"].filter((name) => responders.mayAnswer(`phone of ${name}`, asked));
  return { clock, responders, asked, pending, told, whoIs };
}

test("only people who may answer now are notified, and a step notifies the next people at its time", async () => {
  const { clock, responders, told, whoIs } = await open();
  // The owners of the devices are not known yet.
  expect(whoIs()).toEqual([]);
  await responders.changed("int_1");
  expect(whoIs()).toEqual(["ada"]);
  await clock.advance(5 * MINUTE_MS - 1);
  expect([whoIs(), told]).toEqual([["ada"], ["int_1"]]);
  await clock.advance(1);
  expect([whoIs(), told]).toEqual([
    ["ada", "bob"],
    ["int_1", "int_1"],
  ]);
});

test("a handover notifies the new people from then on, and the person who did it only if too few others are left", async () => {
  const by = { person: "ada", personId: "per_ada", client: "phone", at: new Date(0).toISOString() };
  const to = { person: "bob", issuer };
  const { responders, whoIs } = await open({ notes: { given: 1, handOvers: [{ to, by }] } });
  await responders.changed("int_1");
  expect(whoIs()).toEqual(["ada", "bob"]);
  const named = ["ada", "bob", "owner"].filter((one) => responders.isNamed(`phone of ${one}`, to));
  expect(named).toEqual(["bob"]);
  const instead = await open({ notes: { given: 1, handOvers: [{ to, by, instead: true }] } });
  await instead.responders.changed("int_1");
  expect(instead.whoIs()).toEqual(["bob"]);
  const back = { to: { person: "per_ada", issuer }, back: true as const, by };
  const handOvers = [{ to, by, instead: true as const }, back];
  const returned = await open({ notes: { given: 2, handOvers } });
  await returned.responders.changed("int_1");
  expect(returned.whoIs()).toEqual(["ada", "bob"]);
});

test("a person who voted yes is not notified again, and no one is after the request is settled", async () => {
  const by = {
    person: "ada",
    personId: "per_ada",
    client: "phone",
    at: "2026-01-01T00:00:00.000Z",
  };
  const { clock, responders, asked, told, whoIs } = await open({ votes: [by], votesGiven: 1 });
  await responders.changed("int_1");
  expect(whoIs()).toEqual([]);
  responders.settled(asked.interactionId);
  await clock.advance(10 * MINUTE_MS);
  expect(told).toEqual(["int_1"]);
});

test("[R-14] a request that is settled during the lookup of devices leaves nothing behind", async () => {
  const { clock, responders, pending, told } = await open();
  const looking = responders.changed("int_1");
  pending.delete("int_1");
  responders.settled("int_1");
  await looking;
  expect([told, clock.timerCount]).toEqual([[], 0]);
});

test("a request that everyone may answer is announced to everyone with the role, and to no one else", async () => {
  const { asked, responders } = await open();
  const { responders: _, ...open_ } = asked;
  expect(responders.mayAnswer("any device", open_)).toBe(true);
  await responders.look();
  const told = ["ada", "bob", "vera", "owner"].filter((name) => {
    const mayCome = responders.mayCome(`phone of ${name}`, {});
    expect(responders.mayAnswer(`phone of ${name}`, open_)).toBe(mayCome);
    return mayCome;
  });
  expect(told).toEqual(["ada", "bob", "owner"]);
});

test("a request in a person's session is announced to people who see the session and to people it names", async () => {
  const seenBy = seenByOf({ belongsTo: { personId: "per_ada", person: "Ada" }, givenTo: [] });
  const { responders, asked, pending, whoIs } = await open({ responders: undefined, seenBy });
  await responders.changed("int_1");
  expect(whoIs()).toEqual(["ada", "owner"]);
  // People named by it need not see the session.
  const named = { circles: [{ who: [{ person: "bob", issuer }] }] };
  const narrowed = { ...asked, responders: named, named: namedIn(named) };
  pending.set("int_1", narrowed);
  const told = ["ada", "bob", "owner"].filter((name) =>
    responders.mayAnswer(`phone of ${name}`, narrowed),
  );
  expect(told).toEqual(["bob"]);
  // This also distinguishes who may connect.
  expect(responders.mayCome("phone of bob", { seenBy })).toBe(false);
  expect(responders.mayCome("phone of bob", { seenBy, named: narrowed.named })).toBe(true);
  expect(responders.mayCome("phone of nobody", { seenBy })).toBe(false);
});
