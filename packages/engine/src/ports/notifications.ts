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

/** What tells persons who are not there that something is asked of them. */
export interface NotificationsPort {
  /** Whether a person is told of what is seen so, and so may come, though no client is connected. */
  reachesSomebody(seen: Seen): boolean;
  /** Runs whenever that may have changed. */
  onChange(run: () => void): Disposable;
  /** The key that browsers subscribe with, and the caller's devices. */
  read(caller: Caller): Promise<Notifications>;
  /** Subscribes the caller's device. Rejects with `INVALID_REQUEST` for a push service that is not known. */
  subscribe(caller: Caller, body: SubscribeBody): Promise<void>;
  /** These reject with `NOT_FOUND` when the caller's device is not subscribed. */
  update(caller: Caller, body: UpdateNotificationsBody): Promise<void>;
  remove(caller: Caller): Promise<void>;
  test(caller: Caller): Promise<NotificationTest>;
  /** The person is told of it once more when it is back, and not before. */
  snoozed(snooze: StoredSnooze): void;
}

/** For a gateway that notifies nobody. */
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
