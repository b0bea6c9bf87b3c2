import { type Clock, createSerial } from "@holdpoint/engine";
import {
  type Caller,
  inEnglish,
  personKeyOf,
  ProtocolError,
  type QuietHours,
  refusal,
  type Saying,
  saying,
  type SubscribeBody,
  type Told,
  type UpdateNotificationsBody,
} from "@holdpoint/protocol";

import type { SendResult } from "./deliveries/target.ts";
import { isTimeZone } from "./lib/quiet-hours.ts";
import type { NotificationStore, Subscription } from "./ports/notification-store.ts";
import type { PushServices } from "./web-push/push-services.ts";

const MAX_DEVICES = 64;

export interface SubscriptionsOptions {
  readonly store: NotificationStore;
  readonly clock: Clock;
  /** The push services that devices may name. */
  readonly places: PushServices;
  /** Called with a new or changed subscription, and awaited. */
  readonly onPut: (subscription: Subscription) => Promise<void>;
  readonly onRemoved: (deviceId: string) => void;
  /** Called when the set of reachable devices may have changed. */
  readonly onChange: () => void;
}

/** The stored subscriptions of devices. Changes run one after the other. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #byDevice = new Map<string, Subscription>();
  readonly #serial = createSerial();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Reads the stored subscriptions. Rejects with `StoreError`. */
  async load(): Promise<void> {
    for (const subscription of await this.#options.store.listSubscriptions()) {
      this.#byDevice.set(subscription.deviceId, subscription);
    }
  }

  get all(): readonly Subscription[] {
    return [...this.#byDevice.values()];
  }

  has(deviceId: string): boolean {
    return this.#byDevice.has(deviceId);
  }

  ofPerson(person: string): readonly Subscription[] {
    return this.all.filter((each) => each.person === person);
  }

  /** Returns the subscription of the caller's device. Throws `NOT_FOUND` if there is none. */
  mustHave(caller: Caller): Subscription {
    const known = this.#byDevice.get(deviceOf(caller));
    if (!known) throw new ProtocolError("NOT_FOUND", "This device has no notifications.");
    return known;
  }

  /** Rejects with `INVALID_REQUEST` for an unknown push service, an unknown time zone, or one device too many. */
  async subscribe(caller: Caller, body: SubscribeBody): Promise<void> {
    const deviceId = deviceOf(caller);
    const { endpoint, keys, about, quiet, language } = body;
    if (!this.#options.places.parse(endpoint)) {
      throw invalid("endpoint", saying("push_unknown"));
    }
    assertQuiet(quiet);
    await this.#serial(async () => {
      const known = this.#byDevice.get(deviceId);
      await this.#leaveEarlier(deviceId, endpoint);
      if (!known && this.#byDevice.size >= MAX_DEVICES) {
        throw invalid("endpoint", saying("push_full", { most: MAX_DEVICES }));
      }
      await this.#put({
        deviceId,
        person: personKeyOf(caller),
        endpoint,
        ...keys,
        about,
        ...(quiet && { quiet }),
        ...(language !== undefined && { language }),
        createdAtMs: known?.createdAtMs ?? this.#options.clock.now(),
      });
    });
  }

  /** Changes the given settings and keeps the others. `quiet: null` ends the quiet hours. */
  async update(caller: Caller, { about, quiet, language }: UpdateNotificationsBody): Promise<void> {
    await this.#serial(async () => {
      const { quiet: before, ...known } = this.mustHave(caller);
      const next = quiet === undefined ? before : (quiet ?? undefined);
      assertQuiet(next);
      await this.#put({
        ...known,
        about: about ?? known.about,
        ...(next && { quiet: next }),
        ...(language !== undefined && { language }),
      });
    });
  }

  /** Removes the device's subscription. Does nothing if there is none. */
  remove(deviceId: string): Promise<void> {
    return this.#serial(() => this.#remove(deviceId));
  }

  /** Records a send result, which shows whether the subscription works. `gone` removes the subscription. */
  note(deviceId: string, result: SendResult): Promise<void> {
    return this.#serial(() => this.#note(deviceId, result));
  }

  async #note(deviceId: string, result: SendResult): Promise<void> {
    const known = this.#byDevice.get(deviceId);
    if (!known) return;
    if (result.kind === "gone") return this.#remove(deviceId);
    const { trouble, ...rest } = known;
    const next: Subscription =
      result.kind === "sent"
        ? { ...rest, lastSentAtMs: this.#options.clock.now() }
        : { ...rest, trouble: result.reason };
    await this.#options.store.putSubscription(next);
    this.#byDevice.set(deviceId, next);
    if (!isSame(next.trouble, trouble)) this.#options.onChange();
  }

  /** Removes the subscription that the same browser made as another device, so that it is not notified twice. */
  async #leaveEarlier(deviceId: string, endpoint: string): Promise<void> {
    for (const each of this.#byDevice.values()) {
      if (each.endpoint === endpoint && each.deviceId !== deviceId) {
        await this.#remove(each.deviceId);
      }
    }
  }

  async #put(subscription: Subscription): Promise<void> {
    await this.#options.store.putSubscription(subscription);
    this.#byDevice.set(subscription.deviceId, subscription);
    await this.#options.onPut(subscription);
    this.#options.onChange();
  }

  async #remove(deviceId: string): Promise<void> {
    if (!this.#byDevice.delete(deviceId)) return;
    this.#options.onRemoved(deviceId);
    await this.#options.store.removeSubscription(deviceId);
    this.#options.onChange();
  }
}

/** Returns the caller's device id. Throws `INVALID_REQUEST` for a program that embeds the gateway. */
function deviceOf({ tokenId }: Caller): string {
  if (tokenId !== undefined) return tokenId;
  throw refusal("INVALID_REQUEST", saying("push_no_device"));
}

function isSame(one: Told | undefined, other: Told | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function assertQuiet(quiet: QuietHours | undefined): void {
  if (quiet === undefined || isTimeZone(quiet.timeZone)) return;
  throw invalid("quiet", saying("push_time_zone"));
}

function invalid(field: string, problem: Saying): ProtocolError {
  return refusal("INVALID_REQUEST", problem, { fieldErrors: { [field]: inEnglish(problem) } });
}
