import {
  type Caller,
  type Notifications,
  type NotificationTest,
  type Seen,
  type SubscribeBody,
  type UpdateNotificationsBody,
  refusal,
  saying,
} from "@holdpoint/protocol";

import type { StoredSnooze } from "./store.ts";

/** Notifies people about requests while they are away. */
export interface NotificationsPort {
  /** Whether someone who sees the interaction gets notifications, and so may come although no client is connected. */
  reachesSomebody(seen: Seen): boolean;
  /** Runs the callback whenever the result of `reachesSomebody` may have changed. */
  onChange(run: () => void): Disposable;
  /** The key that browsers subscribe with, and the caller's devices. */
  read(caller: Caller): Promise<Notifications>;
  /** Subscribes the caller's device. Rejects with `INVALID_REQUEST` for an unknown push service. */
  subscribe(caller: Caller, body: SubscribeBody): Promise<void>;
  /** Rejects with `NOT_FOUND` when the caller's device is not subscribed, as do `remove` and `test`. */
  update(caller: Caller, body: UpdateNotificationsBody): Promise<void>;
  remove(caller: Caller): Promise<void>;
  test(caller: Caller): Promise<NotificationTest>;
  /** Notifies the person again when the snooze ends, and not before. */
  snoozed(snooze: StoredSnooze): void;
}

/** For a gateway without notifications. */
export const NO_NOTIFICATIONS: NotificationsPort = {
  reachesSomebody: () => false,
  onChange: () => ({ [Symbol.dispose]: () => undefined }),
  read: async () => ({ devices: [] }),
  subscribe: async () => refuse(),
  update: async () => refuse(),
  remove: async () => refuse(),
  test: async () => refuse(),
  snoozed: () => undefined,
};

function refuse(): never {
  throw refusal("INVALID_REQUEST", saying("push_off"));
}
