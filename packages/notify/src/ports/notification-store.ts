import type { NotifyAbout, QuietHours, Saying } from "@holdpoint/protocol";

/** A device's push subscription, and the notifications that its person wants there. Each device has at most one. */
export interface Subscription {
  /** The id of the device's credential. */
  readonly deviceId: string;
  readonly person: string;
  readonly endpoint: string;
  /** The browser's public key (RFC 8291), base64url. */
  readonly p256dh: string;
  readonly auth: string;
  readonly about: NotifyAbout;
  readonly quiet?: QuietHours;
  /** The language of its messages, as a tag such as `de-AT`. Absent: English. */
  readonly language?: string;
  readonly createdAtMs: number;
  readonly lastSentAtMs?: number;
  /** Why the push service refuses messages now. */
  readonly trouble?: Saying;
}

/**
 * The state of one notification. `queued`: not sent yet. `sent`: accepted by the service. `failed`: refused, or the
 * service was unreachable for too long. `closed`: its subject is no longer pending, and it was withdrawn if it had been
 * sent.
 */
export type DeliveryState = "queued" | "sent" | "failed" | "closed";

/** `tell`: the first message. `repeat`: the same once more. `close`: withdraws the notification. */
export type DeliveryStep = "tell" | "repeat" | "close";

/** One notification for one target, about a single interaction or about all further ones together. */
export interface Delivery {
  readonly deliveryId: string;
  /** The id of a device, or the name of a webhook. */
  readonly targetId: string;
  /** Absent in the summary of all interactions without a separate notification. */
  readonly interactionId?: string;
  readonly state: DeliveryState;
  /** The next step and its time. Absent: nothing is left to do. */
  readonly next?: { readonly step: DeliveryStep; readonly atMs: number };
  /** The number of tries of the next step. Stored before each try, so after a crash the last one may have been sent. */
  readonly tries: number;
  /** Whether a message may have reached the service, so that it must be withdrawn. */
  readonly mayBeShown: boolean;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** Stores subscriptions and deliveries. Resolves once a write is stored. Rejects with `StoreError`, like `Store`. */
export interface NotificationStore {
  /** Returns all subscriptions, oldest first. */
  listSubscriptions(): Promise<readonly Subscription[]>;
  /** Adds a subscription, or replaces the one of the same device. */
  putSubscription(subscription: Subscription): Promise<void>;
  /** Removes a device's subscription and its deliveries. Resolves to `false` if there is no subscription. */
  removeSubscription(deviceId: string): Promise<boolean>;
  /** Returns the deliveries that are not closed, oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>;
  /** Adds deliveries, or replaces those with the same ids. Writes all of them or none. */
  putDeliveries(deliveries: readonly Delivery[]): Promise<void>;
  removeDeliveries(targetId: string): Promise<void>;
  /** Removes closed deliveries that last changed before this time. */
  forgetClosed(beforeMs: number): Promise<void>;
}
