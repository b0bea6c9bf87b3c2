import { createMemoryCallbackStore } from "./memory-callback-store.ts";
import { describeCallbackStoreContract } from "./testing/callback-store-contract.ts";

describeCallbackStoreContract("The memory store", {
  open: async () => createMemoryCallbackStore(),
});
