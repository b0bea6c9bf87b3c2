import { describeCredentialStoreContract } from "../testing/credential-store-contract.ts";
import { createMemoryCredentialStore } from "./memory-credential-store.ts";

describeCredentialStoreContract("createMemoryCredentialStore", {
  open: async () => createMemoryCredentialStore(),
});
