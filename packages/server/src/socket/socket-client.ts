import {
  type ClientFrame,
  factsOf,
  FRAME_OPERATIONS,
  ProtocolError,
  SOCKET_LIMITS,
} from "@holdpoint/protocol";

import type { Credential } from "../auth/credential.ts";
import { isFault } from "../http/problem-response.ts";
import { describeError } from "../http/request-log.ts";
import { isUrgent } from "../http/sending-budget.ts";
import type { ServerContext } from "../server-context.ts";
import type { Outbox } from "./outbox.ts";
import { type RawFrame, readClientFrame } from "./read-client-frame.ts";
import { type CommandFrame, runCommand, type SocketCaller } from "./run-command.ts";
import type { SocketEnd } from "./socket-end.ts";
import { errorText, frameText, resultText } from "./socket-frames.ts";
import { Subscriptions } from "./subscriptions.ts";

/** The operation of a frame, or the frame's type if it has none. */
function operationOf(frame: ClientFrame): string {
  if (frame.type === "request") return frame.method;
  return frame.type in FRAME_OPERATIONS
    ? FRAME_OPERATIONS[frame.type as keyof typeof FRAME_OPERATIONS]
    : frame.type;
}

/** How long commands may take to finish when the server closes. */
const CLOSING_GRACE_MS = 2000;

export interface SocketClientOptions {
  readonly context: ServerContext;
  readonly credential: Credential;
  readonly caller: SocketCaller;
  readonly outbox: Outbox;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
}

/** A client whose `hello` was accepted: runs its commands and owns its subscriptions. */
export class SocketClient {
  readonly #options: SocketClientOptions;
  readonly #subscriptions: Subscriptions;
  readonly #running = new Set<Promise<void>>();
  /** Present while the client's page is visible; aborts when it is hidden. */
  #looking: AbortController | undefined;

  constructor(options: SocketClientOptions) {
    this.#options = options;
    this.#subscriptions = new Subscriptions(options);
  }

  /**
   * Handles a frame; the answer may come later. Throws `BAD_REQUEST` for a protocol violation, after which the
   * connection must end.
   */
  receive(raw: RawFrame): void {
    const { outbox } = this.#options;
    const read = readClientFrame(raw);
    if ("error" in read) return outbox.send(errorText(read.error, { requestId: read.requestId }));
    const { frame } = read;
    try {
      this.#count(frame, raw);
      this.#handle(frame);
    } catch (error: unknown) {
      this.#refuse(error, frame.requestId);
    }
  }

  /**
   * Resolves when all subscriptions have ended. When the gateway is stopping, it also waits for running commands, for a
   * limited time.
   */
  async end(closing: SocketEnd["closing"]): Promise<void> {
    await this.#subscriptions.endAll(closing);
    if (closing !== "draining" || this.#running.size === 0) return;
    const { clock } = this.#options.context;
    const settled = new AbortController();
    const late = clock.sleep(CLOSING_GRACE_MS, { signal: settled.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    settled.abort();
  }

  #count(frame: ClientFrame, { bytes }: RawFrame): void {
    const { context, credential } = this.#options;
    if (!isUrgent(operationOf(frame))) context.sending.take(credential, bytes.length);
  }

  #handle(frame: ClientFrame): void {
    switch (frame.type) {
      case "subscribe":
        return this.#subscriptions.followSession(frame);
      case "subscribe_overview":
        return this.#subscriptions.followOverview(frame);
      case "unsubscribe":
      case "unsubscribe_overview":
        this.#subscriptions.leave(frame);
        return this.#acknowledge(frame.requestId);
      case "visibility":
        this.#see(frame.visible);
        return this.#acknowledge(frame.requestId);
      case "ping":
        return frame.requestId === undefined ? this.#ping() : this.#acknowledge(frame.requestId);
      default:
        return this.#start(frame);
    }
  }

  #see(visible: boolean): void {
    if (visible === (this.#looking !== undefined)) return;
    this.#looking?.abort();
    this.#looking = visible ? new AbortController() : undefined;
    if (this.#looking === undefined) return;
    const { context, caller, left } = this.#options;
    const signal = AbortSignal.any([left, this.#looking.signal]);
    context.gateway.announceLooking(caller, { signal });
  }

  #start(frame: CommandFrame): void {
    const isRefusable = !isUrgent(operationOf(frame));
    if (isRefusable && this.#running.size >= SOCKET_LIMITS.runningRequests) {
      const most = `At most ${SOCKET_LIMITS.runningRequests} requests at a time.`;
      throw new ProtocolError("RATE_LIMITED", most, { retryAfterMs: 1000 });
    }
    const running = this.#run(frame).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(frame: CommandFrame): Promise<void> {
    const { context, caller, credential } = this.#options;
    try {
      if (credential.kind === "device") assertOnlyReads(frame);
      this.#acknowledge(frame.requestId, await runCommand(context.gateway, caller, frame));
    } catch (error: unknown) {
      this.#refuse(error, frame.requestId);
    }
  }

  #acknowledge(requestId: string | undefined, json?: string): void {
    if (requestId !== undefined) this.#options.outbox.send(resultText(requestId, json));
  }

  #refuse(error: unknown, requestId: string | undefined): void {
    const { context, outbox } = this.#options;
    if (isFault(error)) {
      context.log.error(describeError(error), "request failed");
    }
    outbox.send(errorText(error, { requestId }));
  }

  #ping(): void {
    const { context, outbox } = this.#options;
    outbox.send(frameText({ type: "ping", at: new Date(context.clock.now()).toISOString() }));
  }
}

/**
 * Throws for changes by a device: it must prove each change individually, so that nothing in between can inject one
 * into its connection.
 */
function assertOnlyReads(frame: CommandFrame): void {
  if (frame.type === "request" && factsOf(frame.method).method === "GET") return;
  throw new ProtocolError(
    "FORBIDDEN",
    "A device makes changes over HTTP, each request with its own proof.",
  );
}
