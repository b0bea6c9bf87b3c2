import { expect, test } from "vitest";

import { describeStoreContract } from "../testing/store-contract/store-contract.ts";
import { createMemoryStore } from "./memory-store.ts";

describeStoreContract("createMemoryStore", { open: async () => createMemoryStore() });

test("a memory store has the given epoch", () => {
  expect(createMemoryStore({ epoch: "restored" }).epoch).toBe("restored");
});
