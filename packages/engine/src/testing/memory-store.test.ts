import { expect, test } from "vitest";

import { createMemoryStore } from "./memory-store.ts";
import { describeStoreContract } from "./store-contract.ts";

describeStoreContract("createMemoryStore", { open: async () => createMemoryStore() });

test("a memory store has the epoch that it was given", () => {
  expect(createMemoryStore({ epoch: "restored" }).epoch).toBe("restored");
});
