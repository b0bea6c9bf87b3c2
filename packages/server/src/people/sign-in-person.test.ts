import { Credentials, createMemoryCredentialStore, type SignIn } from "@holdpoint/engine";
import { createSequentialIds, SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { toPeoplePort } from "./people-port.ts";
import { toPersonId } from "./person-id.ts";
import { signInPerson } from "./sign-in-person.ts";

const issuer = "https://login.example/";
const DAY_MS = 24 * 60 * 60 * 1000;

test("[R-5] a person's streams end when their groups change, and continue otherwise", async () => {
  const clock = new SimulatedClock();
  const credentials = new Credentials({
    store: createMemoryCredentialStore(),
    clock,
    ids: createSequentialIds(),
  });
  const ended: string[] = [];
  const streams = { endOf: (tokenId: string) => void ended.push(tokenId) };
  const people = { roleOf: () => "responder" as const };
  const said = (...groups: string[]): SignIn => {
    return { issuer, subject: "maria", groups, confirmedAtMs: clock.now() };
  };
  const personId = toPersonId(said());
  const { credential } = await credentials.issue({
    kind: "program",
    person: "maria",
    personId,
    signIn: said("ops", "all"),
    label: "script",
  });
  const comeIn = (signIn: SignIn) =>
    signInPerson({ people, credentials, streams }, { signIn, name: "Maria" });
  await comeIn(said("all", "ops"));
  expect(ended).toEqual([]);
  await comeIn(said("all"));
  expect(ended).toEqual([credential.tokenId]);
});

test("[R-5] an issuer's claims about a person are valid for a week, at the issuer's own address", async () => {
  const clock = new SimulatedClock();
  const admit = [{ group: "ops", role: "responder" }] as const;
  const issuers = [{ issuer: "https://login.example", clientId: "1", admit }];
  const port = toPeoplePort({ issuers, key: new Uint8Array(32) }, clock);
  const signIn = { issuer, subject: "maria", groups: ["ops"], confirmedAtMs: clock.now() };
  expect(port.issuers).toEqual([issuer]);
  expect(port.roleOf(signIn)).toBe("responder");
  expect(port.roleOf({ ...signIn, groups: [] })).toBeUndefined();
  expect(port.roleOf({ ...signIn, issuer: "https://evil.example/" })).toBeUndefined();
  await clock.advance(7 * DAY_MS);
  expect(port.roleOf(signIn)).toBeUndefined();
});
