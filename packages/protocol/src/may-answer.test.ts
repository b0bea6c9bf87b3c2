import { describe, expect, test } from "vitest";

import {
  isAskedOf,
  nextStepOf,
  refusalOfHandOver,
  refusalOfResponder,
  type ResponderRefusal,
  type Voter,
} from "./may-answer.ts";
import type { Named, Responders } from "./responders.ts";
import { HOME, voter } from "./testing/voters.ts";

const startedAt = "2026-01-01T00:00:00.000Z";
const later = (ms: number) => new Date(Date.parse(startedAt) + ms).toISOString();

function refusal(
  responders: Responders,
  who: Voter,
  { action = "approve", afterMs = 0 }: { action?: "approve" | "deny"; afterMs?: number } = {},
): ResponderRefusal | undefined {
  return refusalOfResponder({ responders, startedAt }, who, { action, at: later(afterMs) });
}

const one = (...who: Named[]): Responders => ({ circles: [{ who }] });
/** In the gateway's format, with letters that an issuer may let people choose. */
const ID_OF_MARIA = `per_${"Ab-_9".repeat(8)}xyz`;
const maria = voter("maria", {
  email: "Maria@Example.org",
  groups: ["ops", "all"],
});

describe("a policy that names people", () => {
  const elsewhere = "https://other.example";
  const cases: [string, Named, Voter, boolean][] = [
    ["by the subject", { person: "maria", issuer: HOME }, maria, true],
    ["by the verified address", { person: "maria@example.org", issuer: HOME }, maria, true],
    ["by the id", { person: maria.personId!, issuer: HOME }, maria, true],
    ["by a group", { group: "ops", issuer: HOME }, maria, true],
    ["not by a part of a group", { group: "op", issuer: HOME }, maria, false],
    ["not by what another issuer calls so", { group: "ops", issuer: elsewhere }, maria, false],
    [
      "not as a namesake at another issuer",
      { person: "maria", issuer: HOME },
      voter("maria", { issuer: elsewhere }),
      false,
    ],
    ["not where no issuer is named", { person: "maria" }, maria, false],
    ["not by a name without an issuer", { person: "maria", issuer: HOME }, {}, false],
    [
      "not by a subject that looks like an address",
      { person: "maria@example.org", issuer: HOME },
      voter("maria@example.org"),
      false,
    ],
    [
      "not by a subject that is the id of somebody else",
      { person: ID_OF_MARIA, issuer: HOME },
      voter(ID_OF_MARIA),
      false,
    ],
    [
      "not by letters of another script",
      { person: "maria@example.org", issuer: HOME },
      voter("eve", { email: "mar\u0130a@example.org" }),
      false,
    ],
  ];
  test.each(cases)("%s", (_, named, who, isNamed) => {
    expect(refusal(one(named), who)).toBe(isNamed ? undefined : "not_named");
  });
});

test("[R-5] people who are not named cannot even say no, and named people can", () => {
  const responders = one({ group: "ops", issuer: HOME });
  for (const action of ["approve", "deny"] as const) {
    expect(refusal(responders, maria, { action })).toBeUndefined();
    expect(refusal(responders, voter("eve"), { action })).toBe("not_named");
    expect(refusal(responders, {}, { action })).toBe("not_named");
  }
});

test("[R-5] a person has to be named by every policy", () => {
  const circles = [
    { who: [{ group: "ops", issuer: HOME }] },
    { who: [{ group: "legal", issuer: HOME }] },
  ];
  expect(refusal({ circles }, maria)).toBe("not_named");
  expect(refusal({ circles }, voter("both", { groups: ["legal", "ops"] }))).toBeUndefined();
});

test("[R-5] a step adds people at its time and not before, and removes no one", () => {
  const steps = [
    { who: [{ person: "bob", issuer: HOME }], afterMs: 60_000 },
    { who: [{ person: "eve", issuer: HOME }], afterMs: 120_000 },
  ];
  const responders = { circles: [{ who: [{ person: "maria", issuer: HOME }], steps }] };
  const bob = voter("bob");
  for (const [afterMs, expected] of [
    [59_999, "not_yet"],
    [60_000, undefined],
    [120_000, undefined],
  ] as const) {
    expect(refusal(responders, bob, { afterMs })).toBe(expected);
    expect(refusal(responders, bob, { afterMs, action: "deny" })).toBe(expected);
    expect(refusal(responders, maria, { afterMs })).toBeUndefined();
  }
  expect(refusal(responders, voter("eve"), { afterMs: 60_000 })).toBe("not_yet");
  expect(nextStepOf({ responders, startedAt }, Date.parse(startedAt))).toEqual({
    atMs: Date.parse(startedAt) + 60_000,
    who: steps[0]!.who,
  });
  expect(nextStepOf({ responders, startedAt }, Date.parse(later(120_000)))).toBeUndefined();
});

test("[R-5] the requester can say no and not yes", () => {
  const responders = { circles: [], requesters: [maria.personId!] };
  expect(refusal(responders, maria)).toBe("requester");
  expect(refusal(responders, maria, { action: "deny" })).toBeUndefined();
  expect(refusal(responders, voter("bob"))).toBeUndefined();
});

test("[R-5] people without an issuer can say no, but never one of several yeses", () => {
  for (const responders of [
    { circles: [], need: 2 },
    { circles: [], requesters: [] },
  ]) {
    expect(refusal(responders, { personId: undefined })).toBe("not_signed_in");
    expect(refusal(responders, { personId: "per_eve" })).toBe("not_signed_in");
    expect(refusal(responders, {}, { action: "deny" })).toBeUndefined();
  }
});

test("[R-5] a request that no one can approve takes a no from everyone, and a yes from no one", () => {
  const responders: Responders = {
    circles: [{ who: [{ person: "bob" }] }],
    blocked: "nobody_signs_in",
  };
  for (const who of [maria, {}, voter("bob")]) {
    expect(refusal(responders, who)).toBe("blocked");
    expect(refusal(responders, who, { action: "deny" })).toBeUndefined();
  }
});

describe("a handover", () => {
  const steps = [{ who: [{ group: "managers", issuer: HOME }], afterMs: 3_600_000 }];
  const ops: Responders = { circles: [{ who: [{ group: "ops", issuer: HOME }], steps }] };
  const by = { person: "maria", client: "phone", at: startedAt };
  const handed = (responders: Responders, who: Voter, ...to: Named[]) =>
    refusalOfResponder(
      { responders, startedAt, notes: { given: 1, handOvers: to.map((one) => ({ to: one, by })) } },
      who,
      { action: "approve", at: startedAt },
    );
  const [max, eve] = [voter("max", { groups: ["managers"] }), voter("eve")];

  test("[R-5] lets people named by a later step answer now, by their group or by name", () => {
    expect(refusal(ops, max)).toBe("not_yet");
    for (const to of [
      { group: "managers", issuer: HOME },
      { person: "max", issuer: HOME },
    ]) {
      expect(handed(ops, max, to)).toBeUndefined();
    }
    // It does not belong to another manager.
    const other = voter("moe", { groups: ["managers"] });
    expect(handed(ops, other, { person: "max", issuer: HOME })).toBe("not_yet");
    expect(handed(ops, maria, { person: "max", issuer: HOME })).toBeUndefined();
  });

  test("[R-5] never lets people answer who could not under the policy", () => {
    const everybody = [
      { person: "eve", issuer: HOME },
      { person: eve.personId!, issuer: HOME },
      { group: "managers", issuer: "https://other.example" },
      { group: "managers" },
    ];
    expect(handed(ops, eve, ...everybody)).toBe("not_named");
    const namesake = voter("max", { issuer: "https://other.example", groups: ["managers"] });
    expect(handed(ops, namesake, ...everybody)).toBe("not_named");
    // With several policies, each one has to let them answer at some time.
    const both = { circles: [...ops.circles, { who: [{ group: "legal", issuer: HOME }] }] };
    expect(handed(both, max, { person: "max", issuer: HOME })).toBe("not_named");
  });

  test("asks other people instead of the person who did it, until they hand it back; the right to answer stays", () => {
    const moe = voter("moe", { groups: ["ops"] });
    const of = (who: Voter) => ({ ...by, personId: who.personId! });
    const done = [
      { to: { person: "moe", issuer: HOME }, by: of(maria), instead: true as const },
      { to: { group: "managers", issuer: HOME }, by: of(moe) },
      { to: { person: "maria", issuer: HOME }, by: of(moe), instead: true as const },
      // To a group that they are in as well.
      { to: { group: "ops", issuer: HOME }, by: of(maria), instead: true as const },
    ];
    const askedAfter = (count: number) => {
      const notes = { given: count, handOvers: done.slice(0, count) };
      const asked = { responders: ops, startedAt, notes };
      for (const who of [maria, moe]) {
        const said = { action: "approve", at: startedAt } as const;
        expect(refusalOfResponder(asked, who, said)).toBeUndefined();
      }
      return [maria, moe, max].filter((who) => isAskedOf(asked, who, startedAt));
    };
    expect([0, 1, 2, 3, 4].map(askedAfter)).toEqual([
      [maria, moe],
      [moe],
      [moe, max],
      [maria, max],
      [maria, moe, max],
    ]);
    // A person without an issuer has handed over nothing.
    const everybodys = { responders: { circles: [] }, startedAt, notes: { given: 0 } };
    const handOvers = [{ to: { person: "moe" }, by, instead: true as const }];
    expect(isAskedOf({ ...everybodys, notes: { given: 1, handOvers } }, {}, startedAt)).toBe(true);
  });

  test("[R-5] lets no one approve their own request, or a request that no one can approve", () => {
    const to = { person: "max", issuer: HOME };
    expect(handed({ ...ops, requesters: [max.personId!] }, max, to)).toBe("requester");
    expect(handed({ ...ops, blocked: "too_few" }, max, to)).toBe("blocked");
  });

  test("[R-5] is open to people who can approve: not to the requester, people of later steps, or people not named", () => {
    const of = (who: Voter, responders: Responders = ops) =>
      refusalOfHandOver({ responders, startedAt }, who, startedAt);
    expect(of(maria)).toBeUndefined();
    expect(of(maria, { ...ops, requesters: [maria.personId!] })).toBe("requester");
    expect(of(max)).toBe("not_yet");
    expect(of(eve)).toBe("not_named");
    expect(of({})).toBe("not_named");
  });
});
