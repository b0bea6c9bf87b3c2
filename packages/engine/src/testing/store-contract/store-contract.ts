import { describe, expect } from "vitest";

import type { Batch, Store } from "../../ports/store.ts";
import { describeAtomicity } from "./atomicity-contract.ts";
import { describeAttachments } from "./attachments-contract.ts";
import { describeChain } from "./chain-contract.ts";
import { describeClosing } from "./closing-contract.ts";
import { describeDeadlines } from "./deadlines-contract.ts";
import { describeGrants } from "./grants-contract.ts";
import { describeHistory } from "./history-contract.ts";
import { describeInteractionLists } from "./interaction-lists-contract.ts";
import { describeInteractions } from "./interactions-contract.ts";
import { describeLateInteractions } from "./late-contract.ts";
import { describeLog } from "./log-contract.ts";
import { describeQueue } from "./queue-contract.ts";
import { describeSeen } from "./seen-contract.ts";
import { describeSeparation } from "./separation-contract.ts";
import { describeSessions } from "./sessions-contract.ts";
import { describeText } from "./text-contract.ts";

/** Opens stores for the suite: each is empty, and the suite disposes it. */
export interface StoreHarness {
  open(): Promise<Store>;
}

/** The contract of all stores. Registers its tests with vitest. */
export function describeStoreContract(name: string, harness: StoreHarness): void {
  const open = async (...batches: Batch[]): Promise<Store> => {
    const store = await harness.open();
    for (const batch of batches) {
      expect(await store.append(batch)).toMatchObject({ status: "appended" });
    }
    return store;
  };
  describe(`${name} keeps the store contract`, () => {
    describeLog(open);
    describeChain(open);
    describeAtomicity(open);
    describeSessions(open);
    describeInteractions(open);
    describeInteractionLists(open);
    describeDeadlines(open);
    describeLateInteractions(open);
    describeHistory(open);
    describeQueue(open);
    describeAttachments(open);
    describeGrants(open);
    describeSeen(open);
    describeSeparation(open);
    describeText(open);
    describeClosing(open);
  });
}
