import {
  type Clock,
  type CallbacksPort,
  type Ids,
  type NotificationsPort,
  type StoredSnooze,
} from "@holdpoint/engine";
import {
  type Caller,
  type Interaction,
  type NotificationTest,
  type NotifiedDevice,
  personKeyOf,
  ProtocolError,
  type Seen,
  type SubscribeBody,
  type UpdateNotificationsBody,
} from "@holdpoint/protocol";

import { type CallbackHost, createCallbackTargets } from "./callbacks/callback-targets.ts";
import { Callbacks } from "./callbacks/callbacks.ts";
import { Deliveries } from "./deliveries/deliveries.ts";
import { type Asked, followPending, READER, type Reminder } from "./deliveries/follow-pending.ts";
import { isForAll, Recipients } from "./deliveries/recipients.ts";
import { type SendCount, SendCounts } from "./deliveries/send-counts.ts";
import type { SendResult } from "./deliveries/target.ts";
import { createPoster, type Poster } from "./lib/post.ts";
import { createMemoryCallbackStore } from "./memory-callback-store.ts";
import { toTestMessage } from "./message.ts";
import { toDetail, toNotifiedDevice } from "./notified-device.ts";
import type { CallbackStore } from "./ports/callback-store.ts";
import type { NotificationStore, Subscription } from "./ports/notification-store.ts";
import { Subscriptions } from "./subscriptions.ts";
import { createMessages } from "./to-message.ts";
import type { ToldGateway } from "./told-gateway.ts";
import { createPushServices, type PushServices } from "./web-push/push-services.ts";
import { createPushTarget, type PushParts, sendPush } from "./web-push/push-target.ts";
import type { VapidKey } from "./web-push/vapid-key.ts";
import { createWebhookTarget, type WebhookOptions } from "./webhook/webhook-target.ts";

const TEST_EVERY_MS = 2000;

export interface NotificationsOptions {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly key: VapidKey;
  /** Hosts of push services to allow in addition to the known browsers' services. */
  readonly pushServices?: readonly string[];
  readonly webhooks?: readonly WebhookOptions[];
  /** The hosts that programs may use for callbacks. Default: none. */
  readonly callbackHosts?: readonly CallbackHost[];
  /** The store for callbacks. Default: in memory. */
  readonly callbackStore?: CallbackStore;
  /** Returns the `traceparent` sent with webhooks and callbacks about an interaction. Default: none is sent. */
  readonly traceparentOf?: (interactionId: string) => Promise<string | undefined>;
  /** Called with failures that reach no caller. They never contain the text of a notification. */
  readonly onError: (error: unknown) => void;
}

/**
 * Notifies people of requests while they are away. Follows the gateway like a client, from `start` until it is
 * disposed, and only while it has receivers.
 */
export class Notifications implements NotificationsPort, AsyncDisposable {
  readonly #options: NotificationsOptions;
  readonly #places: PushServices;
  readonly #poster: Poster;
  readonly #parts: PushParts;
  readonly #subscriptions: Subscriptions;
  readonly #testedAtMs = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly #pending = new Map<string, Asked>();
  readonly #deliveries: Deliveries;
  readonly #responders: Recipients;
  readonly #counts = new SendCounts();
  #callbacks: Callbacks | undefined;
  readonly #ended = new AbortController();
  #gateway: ToldGateway | undefined;
  #following: Promise<void> | undefined;
  readonly #watching = new DisposableStack();
  #pageUrl = "http://127.0.0.1";

  private constructor(options: NotificationsOptions) {
    const { clock, key } = options;
    this.#options = options;
    this.#places = createPushServices(options.pushServices);
    this.#poster = createPoster(clock);
    this.#subscriptions = new Subscriptions({
      ...options,
      places: this.#places,
      onPut: (subscription) => this.#put(subscription),
      onRemoved: (deviceId) => {
        this.#testedAtMs.delete(deviceId);
        this.#deliveries.removeTarget(deviceId);
      },
      onChange: () => this.#announce(),
    });
    this.#parts = {
      clock,
      key,
      poster: this.#poster,
      places: this.#places,
      mayAnswer: (deviceId, asked) => this.#responders.mayAnswer(deviceId, asked),
      isLooking: (deviceId) => this.#gateway?.isLooking(deviceId) ?? false,
    };
    this.#responders = new Recipients({
      clock,
      gateway: () => this.#gateway,
      pending: this.#pending,
      onChange: (asked) => this.#deliveries.changed(asked),
      onError: options.onError,
    });
    this.#deliveries = new Deliveries({
      ...options,
      pending: this.#pending,
      toMessage: createMessages(() => this.#gateway, clock),
      onResult: (targetId, result) => this.#note(targetId, result),
    });
  }

  /** Reads the stored subscriptions and callbacks. Sends nothing before `start`. Rejects with `StoreError`. */
  static async open(options: NotificationsOptions): Promise<Notifications> {
    const notifications = new Notifications(options);
    await notifications.#subscriptions.load();
    notifications.#callbacks = await Callbacks.open({
      store: options.callbackStore ?? createMemoryCallbackStore(),
      clock: options.clock,
      findPlace: createCallbackTargets(options.callbackHosts ?? []),
      interactionOf: (interactionId) => notifications.#find(interactionId),
      traceparentOf: options.traceparentOf,
      onHeld: () => notifications.#follow(),
      onError: options.onError,
    });
    return notifications;
  }

  /** The number of sent messages since the start, by channel and result. */
  get figures(): readonly SendCount[] {
    return this.#counts.figures;
  }

  /** Notifies programs that their asks are settled. Pass it to the gateway that `start` gets. */
  get callbacks(): CallbacksPort {
    return this.#ownCallbacks;
  }

  reachesSomebody(seen: Seen): boolean {
    return this.#subscriptions.all.some(
      ({ deviceId, about, trouble }) =>
        about !== "off" && trouble === undefined && this.#responders.mayCome(deviceId, seen),
    );
  }

  onChange(run: () => void): Disposable {
    const call = (): void => run();
    this.#listeners.add(call);
    return { [Symbol.dispose]: () => void this.#listeners.delete(call) };
  }

  /** Starts to notify. Removes the subscriptions of devices that are signed out. */
  async start(gateway: ToldGateway, pageUrl: string): Promise<void> {
    this.#gateway = gateway;
    this.#pageUrl = pageUrl;
    this.#watching.use(gateway.credentials.onRevoked((id) => this.#subscriptions.remove(id)));
    this.#watching.use(gateway.credentials.onConfirmed(() => void this.#lookAgain(() => true)));
    this.#watching.use(
      gateway.onShared((id) => void this.#lookAgain(({ sessionId }) => sessionId === id)),
    );
    await this.#responders.look();
    const known = new Set((await gateway.credentials.list()).map(({ tokenId }) => tokenId));
    for (const { deviceId } of this.#subscriptions.all) {
      if (!known.has(deviceId)) await this.#subscriptions.remove(deviceId);
    }
    const { clock, webhooks = [] } = this.#options;
    const { traceparentOf } = this.#options;
    const parts = {
      clock,
      poster: this.#poster,
      pageUrl: () => this.#pageUrl,
      traceparentOf,
    };
    await this.#deliveries.open([
      ...this.#subscriptions.all.map((each) => createPushTarget(this.#parts, each)),
      ...webhooks.map((webhook) => createWebhookTarget(parts, webhook)),
    ]);
    this.#ownCallbacks.start();
    this.#follow();
  }

  async read(caller: Caller): Promise<{
    publicKey: string;
    devices: NotifiedDevice[];
  }> {
    const own = this.#subscriptions.ofPerson(personKeyOf(caller));
    return {
      publicKey: this.#options.key.publicKey,
      devices: own.map((each) => toNotifiedDevice(each, caller.tokenId)),
    };
  }

  subscribe(caller: Caller, body: SubscribeBody): Promise<void> {
    return this.#subscriptions.subscribe(caller, body);
  }

  update(caller: Caller, body: UpdateNotificationsBody): Promise<void> {
    return this.#subscriptions.update(caller, body);
  }

  async remove(caller: Caller): Promise<void> {
    await this.#subscriptions.remove(this.#subscriptions.mustHave(caller).deviceId);
  }

  async test(caller: Caller): Promise<NotificationTest> {
    const subscription = this.#subscriptions.mustHave(caller);
    const { deviceId } = subscription;
    const nowMs = this.#options.clock.monotonic();
    const leftMs = (this.#testedAtMs.get(deviceId) ?? -Infinity) + TEST_EVERY_MS - nowMs;
    if (leftMs > 0) {
      throw new ProtocolError("RATE_LIMITED", "One test at a time.", { retryAfterMs: leftMs });
    }
    this.#testedAtMs.set(deviceId, nowMs);
    const message = toTestMessage(caller.client);
    const { signal } = this.#ended;
    const result = await sendPush(this.#parts, subscription, message, { signal });
    await this.#note(deviceId, result);
    switch (result.kind) {
      case "sent":
      case "gone":
        return { result: result.kind };
      case "refused":
        return { result: "refused", ...toDetail(result.reason) };
      case "missed":
        return { result: "unreachable", ...toDetail(result.reason) };
    }
  }

  snoozed({ person, interactionId, untilMs }: StoredSnooze): void {
    for (const { deviceId } of this.#subscriptions.ofPerson(person)) {
      this.#deliveries.putOff(deviceId, interactionId, untilMs);
    }
  }

  /** Aborts running sends. The next gateway sends the undelivered messages. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#watching.dispose();
    this.#responders[Symbol.dispose]();
    await this.#following;
    await this.#callbacks?.[Symbol.asyncDispose]();
    await this.#deliveries[Symbol.asyncDispose]();
    this.#poster[Symbol.dispose]();
  }

  #follow(): void {
    if (!this.#gateway || this.#following) return;
    const callbacks = this.#ownCallbacks;
    if (this.#deliveries.isEmpty && callbacks.isEmpty) return;
    this.#following = followPending({
      gateway: this.#gateway,
      clock: this.#options.clock,
      signal: this.#ended.signal,
      pending: this.#pending,
      onAsked: (asked) => {
        if (isForAll(asked)) this.#deliveries.asked(asked);
        else void this.#responders.changed(asked.interactionId);
      },
      onVoted: ({ interactionId }) => void this.#responders.changed(interactionId),
      onReminded: (asked, of) => void this.#remind(asked, of),
      onSettled: (asked) => {
        this.#responders.settled(asked.interactionId);
        this.#deliveries.settled(asked);
        callbacks.settled(asked.interactionId);
      },
      onOver: (interactionId) => callbacks.settled(interactionId),
      onWhole: () => {
        this.#deliveries.reconcile();
        callbacks.reconcile(this.#pending);
      },
      onError: this.#options.onError,
    });
  }

  /** Repeats notifications. Webhooks belong to no person, so they are reminded of every reassignment. */
  async #remind(asked: Asked, { handedTo }: Reminder): Promise<void> {
    if (handedTo === undefined) return this.#deliveries.remind(asked);
    await this.#responders.changed(asked.interactionId);
    this.#deliveries.remind(
      asked,
      (targetId) =>
        !this.#subscriptions.has(targetId) || this.#responders.isNamed(targetId, handedTo),
    );
  }

  /** Updates pending interactions after a change of the people who can see or answer them. */
  async #lookAgain(isMeant: (asked: Asked) => boolean): Promise<void> {
    await this.#responders.look();
    for (const asked of this.#pending.values()) {
      const seenBy = this.#gateway?.seenByOf(asked.sessionId);
      if (!isMeant(asked) || (isForAll(asked) && !seenBy)) continue;
      this.#pending.set(asked.interactionId, { ...asked, seenBy });
      await this.#responders.changed(asked.interactionId);
    }
    this.#announce();
  }

  async #put(subscription: Subscription): Promise<void> {
    this.#deliveries.setTarget(createPushTarget(this.#parts, subscription));
    await this.#responders.look();
    this.#follow();
  }

  #announce(): void {
    for (const run of this.#listeners) run();
  }

  get #ownCallbacks(): Callbacks {
    if (this.#callbacks) return this.#callbacks;
    throw new Error("Notifications are not open.");
  }

  async #find(interactionId: string): Promise<Interaction | undefined> {
    try {
      return await this.#gateway?.getInteraction(READER, interactionId);
    } catch (error: unknown) {
      if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  #note(targetId: string, result: SendResult): Promise<void> {
    this.#counts.add(this.#subscriptions.has(targetId) ? "push" : "webhook", result.kind);
    // A send aborted by shutdown is not the push service's failure.
    if (this.#ended.signal.aborted) return Promise.resolve();
    return this.#subscriptions.note(targetId, result);
  }
}
