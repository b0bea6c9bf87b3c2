export { isSigned, openCallbacks, SECRET, startReceiver } from "./callback-scene.ts";
export { describeCallbackStoreContract } from "./callback-store-contract.ts";
export type { CallbackStoreHarness } from "./callback-store-contract.ts";
export { describeNotificationStoreContract } from "./notification-store-contract.ts";
export type { NotificationStoreHarness } from "./notification-store-contract.ts";
export { decryptMessage } from "./decrypt-message.ts";
export { startPushService } from "./push-service.ts";
export type { PushAnswer, PushedMessage, PushService, ReceivedPush } from "./push-service.ts";
