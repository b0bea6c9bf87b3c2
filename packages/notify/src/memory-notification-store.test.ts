import { createMemoryNotificationStore } from "./memory-notification-store.ts";
import { describeNotificationStoreContract } from "./testing/notification-store-contract.ts";

describeNotificationStoreContract("The memory store", {
  open: async () => createMemoryNotificationStore(),
});
