import { describe } from "vitest";

import { describeCredentials } from "./contract-credentials.ts";
import { describeFollowing } from "./contract-following.ts";
import { describeGrants } from "./contract-grants.ts";
import { describeInteractions } from "./contract-interactions.ts";
import { describeSessions } from "./contract-sessions.ts";
import { describeViews } from "./contract-views.ts";
import { connectClients, type Clients, type TransportHarness } from "./transport-harness.ts";

/** The common behaviour of all transports: same inputs, same results, same errors. */
export function describeTransportContract(
  name: string,
  setup: () => Promise<TransportHarness>,
): void {
  const connect = (): Promise<Clients> => connectClients(setup);
  describe(`transport contract: ${name}`, () => {
    describeSessions(connect);
    describeInteractions(connect);
    describeGrants(connect);
    describeCredentials(connect);
    describeFollowing(connect);
    describeViews(connect);
  });
}
