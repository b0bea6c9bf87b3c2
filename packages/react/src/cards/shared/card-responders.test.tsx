// @vitest-environment happy-dom
import type { Interaction, Responders, SignedInAs } from "@holdpoint/protocol";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";

import { anApprovalInteraction, aResponder, instant, NOW } from "../../testing/interactions.ts";
import { answeredHere, renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const issuer = "https://login.example/";
const person = (subject: string, ...groups: string[]) => ({
  personId: `per_${subject}`,
  signIn: { issuer, subject, groups } satisfies SignedInAs as SignedInAs & { groups: string[] },
});
const asked = (responders: Responders, over: Partial<Interaction> = {}) =>
  anApprovalInteraction({}, { responders, ...over });
const byOf = (subject: string) => aResponder({ person: subject, personId: `per_${subject}` });
const buttonNames = () => screen.queryAllByRole("button").map((each) => each.textContent);
const text = (card: { card: () => HTMLElement }) =>
  (card.card().textContent ?? "").replaceAll(/\s+/g, " ");
const OPS: Responders = { circles: [{ who: [{ group: "ops", issuer }] }], need: 3 };

test("[R-5] a card shows who can answer, who has said yes and how many are needed, and accepts one vote", async () => {
  const { card, gateway, arm, show } = renderCard(asked(OPS), person("ada", "ops"));
  expect(text({ card })).toContain("Who can answer: everyone in ops.");
  expect(text({ card })).toContain("3 people must allow it, exactly as shown.");
  arm();
  fireEvent.click(screen.getByRole("button", { name: "Allow once" }));
  const voted = asked(OPS, { votes: [byOf("ada")], votesGiven: 1 });
  await gateway.accept(voted);
  // At once, and after the gateway has notified everyone.
  for (const shown of [asked(OPS), voted]) {
    show(shown);
    expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
    expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  }
  expect(text({ card })).toContain("Allowed so far by ada. 2 more are needed.");
  expect(text({ card })).toContain("You have allowed it. You can still deny it.");
});

test("[R-5] a person who may not answer has no buttons, and sees who may and who is next", () => {
  const steps = [{ who: [{ person: "eve", issuer }], afterMs: 600_000 }];
  const responders = { circles: [{ who: [{ person: "bob", issuer }], steps }] };
  const shown = asked(responders, { startedAt: instant(-540_000) });
  const { card, wait } = renderCard(shown, person("eve"));
  expect(buttonNames()).not.toContain("Allow once");
  expect(buttonNames()).not.toContain("Deny");
  expect(text({ card })).toContain("View only.");
  expect(text({ card })).toContain("Who can answer: bob.");
  expect(text({ card })).toMatch(/From \d\d:\d\d.* also eve\./);
  wait(60_001);
  expect(screen.getByRole("button", { name: "Deny" })).toBeTruthy();
  expect(text({ card })).toContain("Who can answer: bob, eve.");
  expect(NOW).toBe(Date.parse(instant(0)));
});

test.each<[string, Responders, string]>([
  ["asked for it", { circles: [], requesters: ["per_ada"] }, "You asked for this"],
  ["cannot be one of several", { circles: [], blocked: "too_few" }, "No one can allow it"],
])("[R-5] a person who %s can only deny, and the card explains it", (_, responders, words) => {
  const { card, gateway, arm } = renderCard(asked(responders), person("ada"));
  arm();
  expect(text({ card })).toContain(words);
  expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
  fireEvent.keyDown(card(), { key: "a" });
  expect(gateway.sent).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Deny" }));
  expect(gateway.sent).toEqual([{ action: "deny" }]);
});

test("[R-5] the gateway's owner, without an issuer, sees that others have to allow it", () => {
  const { card } = renderCard(asked({ circles: [], need: 2 }));
  expect(text({ card })).toContain("Only people signed in with an issuer can allow it.");
  expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
});

test("an approval by several people names all of them", () => {
  const votes = [byOf("ada"), byOf("bob")];
  const answered = answeredHere(asked(OPS), { action: "approve", digest: "digest-1" });
  const { card } = renderCard({ ...answered, votes, votesGiven: 1 }, person("bob", "ops"));
  expect(text({ card })).toContain("Allowed by ada, bob");
});
