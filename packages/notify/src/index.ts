export type { CallbackHost } from "./callbacks/callback-targets.ts";
export { createMemoryCallbackStore } from "./memory-callback-store.ts";
export { createMemoryNotificationStore } from "./memory-notification-store.ts";
export { Notifications } from "./notifications.ts";
export type { NotificationsOptions } from "./notifications.ts";
export type { ToldGateway } from "./told-gateway.ts";
export type { Callback, CallbackStore } from "./ports/callback-store.ts";
export type {
  Delivery,
  DeliveryState,
  DeliveryStep,
  NotificationStore,
  Subscription,
} from "./ports/notification-store.ts";
export { createVapidKey } from "./web-push/vapid-key.ts";
export type { VapidKey } from "./web-push/vapid-key.ts";
export type { WebhookOptions } from "./webhook/webhook-target.ts";
