import type { NotifyAbout, QuietHours, Told } from "@holdpoint/protocol";

/** Where a device's browser takes push messages, and what its person wants to be told there. One for each device. */
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
  /** What its messages are said in, as a tag such as `de-AT`; absent: English. */
  readonly language?: string;
  readonly createdAtMs: number;
  readonly lastSentAtMs?: number;
  /** Why its push service refuses messages now. One that an earlier gateway has kept is a text. */
  readonly trouble?: Told;
}

/**
 * What becomes of one notification. `queued`: nothing has reached the service; `sent`: the service has taken it; `failed`: it
 * refused, or could not be reached for too long; `closed`: nothing is pending any more, and it was taken back if it was sent.
 */
export type DeliveryState = "queued" | "sent" | "failed" | "closed";

/** `tell` says what is pending; `repeat` says it once more; `close` takes back what was said. */
export type DeliveryStep = "tell" | "repeat" | "close";

/** One notification on its way to one target: about an interaction, or about all that are too many to be told one by one. */
export interface Delivery {
  readonly deliveryId: string;
  /** The id of a device, or the name of a webhook. */
  readonly targetId: string;
  /** Absent: about all those that have no notification of their own. */
  readonly interactionId?: string;
  readonly state: DeliveryState;
  /** What is to be done next; absent: nothing. */
  readonly next?: { readonly step: DeliveryStep; readonly atMs: number };
  /** How often the next step was tried. Written before each try: with it, a message may have been sent. */
  readonly tries: number;
  /** A message may have reached the service, so it has to be taken back. */
  readonly mayBeShown: boolean;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** Keeps subscriptions and deliveries. Nothing resolves before it is kept. Rejects with `StoreError` like `Store`. */
export interface NotificationStore {
  /** Oldest first. */
  listSubscriptions(): Promise<readonly Subscription[]>;
  /** Puts it in the place of the one that the device has. */
  putSubscription(subscription: Subscription): Promise<void>;
  /** With all deliveries to the device. False when it has none. */
  removeSubscription(deviceId: string): Promise<boolean>;
  /** Those that are not closed, oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>;
  /** Each in the place of the one with its id. All of them or none. */
  putDeliveries(deliveries: readonly Delivery[]): Promise<void>;
  /** Removes the deliveries to a target. */
  removeDeliveries(targetId: string): Promise<void>;
  /** Removes closed deliveries that have not changed since then. */
  forgetClosed(beforeMs: number): Promise<void>;
}
