import type { Interaction } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import type { StoredInteraction } from "../ports/store.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { grantChangesOf, NO_CHANGES, oneTimeGrantOf } from "./grant-changes.ts";

const parts = { clock: new SimulatedClock(), ids: createSequentialIds(), alwaysGrantMs: 1000 };
const by = { person: "Ada", personId: "per_1", client: "phone", at: "2026-01-01T00:00:00.000Z" };

function approved(
  response: Omit<NonNullable<Interaction["response"]>, "action">,
  changes: Partial<StoredInteraction> = {},
): StoredInteraction {
  const approval = {
    input: { command: "ls" },
    cwd: "/w",
    display: {},
    digest: "d1",
    scopes: ["once" as const, "session" as const],
    scopeText: {},
    editable: true,
  };
  return {
    interaction: sampleInteraction({
      status: "answered",
      approval,
      by,
      response: { action: "approve", ...response },
    }),
    agent: "claude",
    grantHash: "hash",
    ...changes,
  };
}

const scopesOf = ({ grants }: ReturnType<typeof grantChangesOf>) =>
  grants.map((write) => (write.type === "add" ? write.row.grant.scope : write.type));

test("[R-5] an approval given by a grant leaves no grant when its agent is lost", () => {
  expect(oneTimeGrantOf(parts, approved({ grantId: "gnt_1" }))).toBe(NO_CHANGES);
  expect(scopesOf(oneTimeGrantOf(parts, approved({})))).toEqual(["once"]);
});

test.each(["once", "session", "always"] as const)(
  "[R-5] an approval %s given by a grant counts as a use, and adds nothing",
  (approvalScope) => {
    for (const isLate of [false, true]) {
      const stored = approved({ grantId: "gnt_1", approvalScope });
      expect(scopesOf(grantChangesOf(parts, stored, { isLate }))).not.toContain("once");
      expect(oneTimeGrantOf(parts, approved({ grantId: "gnt_1" }))).toBe(NO_CHANGES);
    }
  },
);

test("[R-6] an edited approval leaves no grant for longer", () => {
  const stored = approved({ approvalScope: "session", editedInput: { command: "ls -l" } });
  expect(grantChangesOf(parts, stored, { isLate: false })).toBe(NO_CHANGES);
});

test("[R-6] a late approval of an edit leaves a grant only for that call", () => {
  const stored = approved({ approvalScope: "session", editedInput: { command: "ls -l" } });
  expect(scopesOf(grantChangesOf(parts, stored, { isLate: true }))).toEqual(["once"]);
});

test("[R-5] a denial leaves no grant, in time or late", () => {
  const stored = approved({});
  const response = { action: "deny" } as const;
  const denied = { ...stored, interaction: { ...stored.interaction, response } };
  for (const isLate of [false, true]) {
    expect(grantChangesOf(parts, denied, { isLate })).toBe(NO_CHANGES);
  }
  expect(oneTimeGrantOf(parts, denied)).toBe(NO_CHANGES);
});

test.each<Parameters<typeof approved>[0]>([{}, { editedInput: { command: "ls -l" } }])(
  "[R-5] an approval once that arrives in time leaves no grant: %j",
  (response) => {
    expect(grantChangesOf(parts, approved(response), { isLate: false })).toBe(NO_CHANGES);
  },
);
