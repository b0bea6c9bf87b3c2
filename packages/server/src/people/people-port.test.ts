import { expect, test } from "vitest";

import { toPeoplePort } from "./people-port.ts";

const HOME = "https://login.example.org";
const OTHER = "https://other.example.org";

function portOf(
  newSessionsFor: readonly { group: string; issuer?: string }[],
  ...addresses: string[]
) {
  const issuers = addresses.map((issuer) => ({
    issuer,
    clientId: "1",
    admit: [
      { group: "ops", role: "responder" as const },
      { subject: "ada", role: "owner" as const },
    ],
  }));
  return toPeoplePort({ issuers, newSessionsFor, key: new Uint8Array(32) }, { now: () => 0 });
}

test("new sessions are for groups of the only issuer, or of the named one", () => {
  const one = portOf([{ group: "team" }], HOME);
  expect(one.newSessionsFor).toEqual([{ group: "team", issuer: `${HOME}/` }]);
  expect(one.groups).toEqual([
    { group: "ops", issuer: `${HOME}/` },
    { group: "team", issuer: `${HOME}/` },
  ]);
  const two = portOf([{ group: "team", issuer: OTHER }], HOME, OTHER);
  expect(two.newSessionsFor).toEqual([{ group: "team", issuer: `${OTHER}/` }]);
  // It is refused at startup; if it got here, it would belong to no one, not to everyone.
  expect(portOf([{ group: "team" }], HOME, OTHER).newSessionsFor).toEqual([]);
});
