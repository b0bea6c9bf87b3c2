import * as fc from "fast-check";
import { expect, test } from "vitest";

import { freezePolicy, isOpenToAll, joinPolicies } from "./join-policies.ts";
import { refusalOfResponder } from "./may-answer.ts";
import { type ResponderPolicy, responderPolicySchema } from "./responders.ts";
import { HOME, voter } from "./testing/voters.ts";

const startedAt = "2026-01-01T00:00:00.000Z";
const people = ["maria", "bob", "eve"].flatMap((name) => [
  voter(name),
  voter(name, { groups: ["ops"] }),
  voter(name, { groups: ["ops", "legal"] }),
]);
const asked = { issuers: [HOME], requesters: [people[0]!.personId] };

const named = fc.oneof(
  fc.record({ person: fc.constantFrom("maria", "bob", "eve") }),
  fc.record({ group: fc.constantFrom("ops", "legal") }),
);
const who = fc.array(named, { minLength: 1, maxLength: 3 });
const steps = fc.array(fc.record({ who, afterMs: fc.constantFrom(1000, 60_000) }), {
  maxLength: 2,
});
const policy: fc.Arbitrary<ResponderPolicy> = fc.oneof(
  fc.record(
    { who, steps, need: fc.integer({ min: 1, max: 4 }), notRequester: fc.boolean() },
    { requiredKeys: ["who"] },
  ),
  fc.record(
    { need: fc.integer({ min: 1, max: 4 }), notRequester: fc.boolean() },
    { requiredKeys: [] },
  ),
);

test("[R-5] a joined policy never lets anyone say more than before, and never needs fewer people", async ({
  annotate,
}) => {
  let tried = 0;
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 3 }), policy, (config, agents) => {
      const before = freezePolicy(joinPolicies(config), asked);
      const after = freezePolicy(joinPolicies([...config, agents]), asked);
      expect(after.need ?? 1).toBeGreaterThanOrEqual(before.need ?? 1);
      for (const afterMs of [0, 1000, 60_000]) {
        const at = new Date(Date.parse(startedAt) + afterMs).toISOString();
        for (const person of people) {
          const said = { at, action: "approve" as const };
          const wasRefused = refusalOfResponder({ responders: before, startedAt }, person, said);
          const isRefused = refusalOfResponder({ responders: after, startedAt }, person, said);
          expect(wasRefused === undefined || isRefused !== undefined).toBe(true);
          tried += 1;
        }
      }
    }),
  );
  expect(tried).toBeGreaterThanOrEqual(2700);
  await annotate(`${tried} people at joined policies`, "cases");
});

test("the order of policies affects only the order of the result", () => {
  const [one, other] = [
    { need: 2, who: [{ group: "ops" }] },
    { notRequester: true, need: 3 },
  ];
  expect(joinPolicies([one, other])).toEqual(joinPolicies([other, one]));
  expect(joinPolicies([one, other])).toEqual({
    circles: [{ who: [{ group: "ops" }] }],
    need: 3,
    notRequester: true,
  });
});

test("the only issuer is the default, and a named one may be spelled differently", () => {
  const home = "https://login.example/";
  const freeze = (issuer?: string) =>
    freezePolicy(joinPolicies([{ who: [{ group: "ops", ...(issuer && { issuer }) }] }]), {
      issuers: [home],
      requesters: [],
    });
  for (const written of [undefined, "https://login.example", "HTTPS://LOGIN.example"]) {
    expect(freeze(written).circles).toEqual([{ who: [{ group: "ops", issuer: home }] }]);
  }
  const other = "https://evil.example";
  expect(freeze(other).circles).toEqual([{ who: [{ group: "ops", issuer: other }] }]);
});

test("without a policy, and with an empty one, everyone can answer", () => {
  expect(isOpenToAll(joinPolicies([]))).toBe(true);
  expect(isOpenToAll(joinPolicies([{}, { need: 1, notRequester: false }]))).toBe(true);
  expect(isOpenToAll(joinPolicies([{ need: 2 }]))).toBe(false);
});

test.each([
  ["no issuer", { need: 2 }, { issuers: [], requesters: [] }, "nobody_signs_in"],
  [
    "several issuers and none named",
    { who: [{ group: "ops" }] },
    { issuers: [HOME, "https://b.example"], requesters: [] },
    "issuer_unclear",
  ],
  [
    "an unknown requester",
    { notRequester: true },
    { issuers: [HOME], requesters: ["per_a", undefined] },
    "requester_unknown",
  ],
  [
    "fewer people than it needs",
    { who: [{ person: "maria" }, { person: "maria" }], need: 2 },
    { issuers: [HOME], requesters: [] },
    "too_few",
  ],
  [
    "as many as it needs",
    { who: [{ person: "maria" }], need: 2, steps: [{ who: [{ person: "bob" }], afterMs: 1000 }] },
    { issuers: [HOME], requesters: [] },
    undefined,
  ],
  ["a group", { who: [{ group: "ops" }], need: 9 }, { issuers: [HOME], requesters: [] }, undefined],
])(
  "[R-5] with %s it gives the reason why no one can say yes, if there is one",
  (_, policy, asked, blocked) => {
    expect(freezePolicy(joinPolicies([policy]), asked).blocked).toBe(blocked);
  },
);

test("a policy with unknown words, or with steps but no first people, is refused", () => {
  const steps = [{ who: [{ person: "bob" }], afterMs: 1000 }];
  for (const wrong of [{ steps }, { who: [] }, { needs: 2 }, { need: 0 }, { who: ["bob"] }]) {
    expect(responderPolicySchema.safeParse(wrong).success).toBe(false);
  }
});
