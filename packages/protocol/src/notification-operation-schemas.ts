import {
  notificationsSchema,
  notificationTestSchema,
  subscribeBodySchema,
  updateNotificationsBodySchema,
} from "./notifications.ts";

/** The operations for the notifications of a device: see `OPERATION_SCHEMAS`. */
export const NOTIFICATION_OPERATION_SCHEMAS = {
  getNotifications: {
    summary: "The key that browsers subscribe with, and the devices that are notified",
    access: "device",
    answer: { status: 200, description: "As it is now.", schema: notificationsSchema },
    errors: [],
  },
  subscribeNotifications: {
    summary: "Have this device notified through its browser's push service",
    access: "device",
    body: subscribeBodySchema,
    answer: { status: 204, description: "It will be notified." },
    errors: ["INVALID_REQUEST"],
  },
  updateNotifications: {
    summary: "Change the notifications that this device gets, and its quiet hours",
    access: "device",
    body: updateNotificationsBodySchema,
    answer: { status: 204, description: "Changed." },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  removeNotifications: {
    summary: "End the notifications of this device",
    access: "device",
    answer: { status: 204, description: "Nothing more is sent to it." },
    errors: ["INVALID_REQUEST", "NOT_FOUND"],
  },
  testNotifications: {
    summary: "Send one message to this device",
    access: "device",
    answer: {
      status: 200,
      description: "The result of its push service.",
      schema: notificationTestSchema,
    },
    errors: ["INVALID_REQUEST", "NOT_FOUND", "RATE_LIMITED"],
  },
} as const;
