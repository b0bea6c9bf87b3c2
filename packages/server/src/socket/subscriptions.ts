import { type ClientFrame, ProtocolError, type SerializedFrame } from "@holdpoint/protocol";

import type { Credential } from "../auth/credential.ts";
import { describeError } from "../http/request-log.ts";
import type { ServerContext } from "../server-context.ts";
import type { ClosingReason } from "../streams/stream-registry.ts";
import type { Outbox } from "./outbox.ts";
import type { SocketCaller } from "./run-command.ts";
import { errorText, resultText, wrapOverviewFrames, wrapSessionFrames } from "./socket-frames.ts";

type FrameOf<TType extends ClientFrame["type"]> = Extract<ClientFrame, { type: TType }>;

export interface SubscriptionsOptions {
  readonly context: ServerContext;
  readonly credential: Credential;
  readonly caller: SocketCaller;
  readonly outbox: Outbox;
}

interface Following {
  readonly id: string;
  readonly requestId: string | undefined;
  /** Rejects when it cannot be followed. Runs before the subscription is confirmed. */
  readonly check: () => Promise<unknown>;
  readonly follow: (signal: AbortSignal) => AsyncIterable<readonly SerializedFrame[]>;
  readonly wrap: (frame: SerializedFrame) => Buffer;
}

/** Why a subscription ends early. A client that left gets no closing frame. */
type Ending = ClosingReason | "left";

const OVERVIEW = "overview";

/**
 * The streams of one connection. Each counts as a stream of its person, like an event stream, and is read only while
 * the connection takes data: frames that a slow client misses stay in the log.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<string, AbortController>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Throws `BAD_REQUEST` for an id in use, and `RATE_LIMITED` when the person has too many streams. */
  followSession(frame: FrameOf<"subscribe">): void {
    const { sessionId, subscriptionId, requestId, after = 0, epoch } = frame;
    const { context, caller } = this.#options;
    const cursor = { seq: after, ...(epoch !== undefined && { epoch }) };
    this.#start({
      id: subscriptionId ?? sessionId,
      requestId,
      check: () => context.gateway.getSession(caller, sessionId),
      follow: (signal) => context.gateway.followSession(caller, sessionId, cursor, { signal }),
      wrap: wrapSessionFrames({ sessionId, subscriptionId }),
    });
  }

  /** Throws like `followSession`. */
  followOverview({ subscriptionId, requestId }: FrameOf<"subscribe_overview">): void {
    const { context, caller } = this.#options;
    this.#start({
      id: subscriptionId ?? OVERVIEW,
      requestId,
      check: async () => undefined,
      follow: (signal) => context.gateway.followOverview(caller, { signal }),
      wrap: wrapOverviewFrames(subscriptionId),
    });
  }

  /** Does nothing when the subscription has already ended. */
  leave(frame: FrameOf<"unsubscribe" | "unsubscribe_overview">): void {
    const otherwise = frame.type === "unsubscribe" ? frame.sessionId : OVERVIEW;
    this.#open.get(frame.subscriptionId ?? otherwise)?.abort("left" satisfies Ending);
  }

  /** Ends all subscriptions with closing frames. Resolves when they have ended. */
  async endAll(reason: Ending): Promise<void> {
    for (const controller of this.#open.values()) controller.abort(reason);
    await Promise.all(this.#running);
  }

  #start(following: Following): void {
    const { id } = following;
    const { context, credential } = this.#options;
    if (this.#open.has(id)) {
      throw new ProtocolError("BAD_REQUEST", "There is a subscription with this id already.");
    }
    context.streams.run(credential, (ended) => {
      const controller = new AbortController();
      ended.addEventListener("abort", () => controller.abort(ended.reason), { once: true });
      this.#open.set(id, controller);
      const running = this.#run(following, controller.signal).finally(() => {
        this.#open.delete(id);
        this.#running.delete(running);
      });
      this.#running.add(running);
      return running;
    });
  }

  async #run(following: Following, ending: AbortSignal): Promise<void> {
    const { id: subscriptionId, requestId, check, wrap } = following;
    const { outbox, context } = this.#options;
    try {
      await check();
    } catch (error: unknown) {
      outbox.send(errorText(error, requestId === undefined ? { subscriptionId } : { requestId }));
      return;
    }
    if (requestId !== undefined) outbox.send(resultText(requestId, undefined));
    try {
      await this.#pump(following, ending);
    } catch (error: unknown) {
      context.log.error(describeError(error), "subscription failed");
      outbox.send(errorText(error, { subscriptionId }));
      return;
    }
    const reason = ending.reason as Ending | undefined;
    if (reason === undefined || reason === "left") return;
    outbox.send(wrap({ json: JSON.stringify({ type: "closing", reason }) }));
  }

  async #pump({ follow, wrap }: Following, ending: AbortSignal): Promise<void> {
    const { outbox } = this.#options;
    if (ending.aborted) return;
    for await (const frames of follow(ending)) {
      for (const frame of frames) {
        if (outbox.isFull) await outbox.ready(ending);
        if (ending.aborted) return;
        outbox.send(wrap(frame));
      }
    }
  }
}
