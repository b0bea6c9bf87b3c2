import type { Socket } from "node:net";

import { PROTOCOL_VERSION, ProtocolError, SOCKET_LIMITS, tooLarge } from "@holdpoint/protocol";
import type { RawData, WebSocket } from "ws";

import type { Credential } from "../auth/authenticator.ts";
import { toCaller } from "../auth/to-caller.ts";
import { toClientError } from "../http/problem-response.ts";
import { describeError } from "../http/request-log.ts";
import type { ServerContext } from "../server-context.ts";
import type { ClosingReason } from "../streams/stream-registry.ts";
import { closingFarewell, errorFarewell, type Farewell, GONE, HELLO_TIMEOUT } from "./farewell.ts";
import { Outbox } from "./outbox.ts";
import { type RawFrame, readHello } from "./read-client-frame.ts";
import type { SocketCaller } from "./run-command.ts";
import { SocketClient } from "./socket-client.ts";
import { errorText, FRAME_HEAD_BYTES, frameText } from "./socket-frames.ts";

/** Who may open a WebSocket and ask for any operation there. */
const SOCKET_ACCESS = "person";
/** Time for the last frames to reach a client that is still there. */
const FAREWELL_MS = 2000;
/** Heartbeats without any sign of the client after which it counts as gone. */
const MISSED_HEARTBEATS = 3;

export interface SocketConnectionOptions {
  readonly socket: WebSocket;
  /** The connection under it. */
  readonly stream: Socket;
  /** Where it comes from, for the limit of wrong credentials. */
  readonly address: string | undefined;
  /** Of the request that opened it, which the proof of a device is for. */
  readonly requestLine: { readonly method: string; readonly path: string };
  readonly context: ServerContext;
}

/**
 * One WebSocket from its first frame to its last. It is a stream of its person: revoking the token ends it, and so does
 * the closing of the server. A client that breaks the protocol gets the reason and is closed; others are not affected.
 */
export class SocketConnection {
  /** Resolves when the socket is closed and nothing of the connection is left; never rejects. */
  readonly done: Promise<void>;
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  /** The first reason to end counts. */
  readonly #ending = Promise.withResolvers<Farewell>();
  readonly #gone = Promise.withResolvers<void>();
  /** Aborts when the client is no longer connected. */
  readonly #left = new AbortController();
  #isWaitingForHello = true;
  #isTooLong = false;
  #receive: (frame: RawFrame) => void = (frame) => this.#greet(frame);
  #client: SocketClient | undefined;
  #tokenId: string | undefined;
  #closeCode: number | undefined;
  /** That of the first frame, then that of the next heartbeat. */
  #timer: Disposable;
  #heardAtMs = 0;

  constructor(options: SocketConnectionOptions) {
    this.#options = options;
    const { socket, stream, context } = options;
    const { clock, streamLimits: limits } = context;
    const onStalled = (): void => this.end("slow_client");
    this.#outbox = new Outbox({ socket, stream, clock, limits, onStalled });
    this.#timer = clock.after(SOCKET_LIMITS.helloMs, () => this.#ending.resolve(HELLO_TIMEOUT));
    this.#listen();
    this.#boundFirstFrame();
    this.done = this.#run();
  }

  /** Ends it and its subscriptions, and says why. Does nothing when it is ending already. */
  end(reason: ClosingReason): void {
    this.#ending.resolve(closingFarewell(reason));
  }

  #listen(): void {
    const { socket, context } = this.#options;
    const hear = (): void => void (this.#heardAtMs = context.clock.monotonic());
    socket.on("message", (data: RawData, isBinary: boolean) => {
      hear();
      this.#receive({ bytes: data as Buffer, isBinary });
    });
    socket.on("pong", hear);
    socket.on("error", () => this.#ending.resolve(GONE)); // It has sent the close code already.
    socket.on("close", (code) => {
      this.#closeCode = code;
      this.#gone.resolve();
      this.#ending.resolve(GONE);
    });
  }

  /** A first frame that is too long is refused while it arrives: nothing waits for its end. */
  #boundFirstFrame(): void {
    const { socket, stream } = this.#options;
    const most = SOCKET_LIMITS.helloBytes;
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (!this.#isWaitingForHello) return void stream.off("data", count);
      if (bytes <= most + FRAME_HEAD_BYTES) return;
      stream.off("data", count);
      socket.pause();
      this.#isTooLong = true;
      this.#fail(tooLarge("The first frame", most));
    };
    // After the socket's own listener: what is whole has been read.
    stream.on("data", count);
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options.context;
    const startedAtMs = clock.monotonic();
    const farewell = await this.#ending.promise;
    this.#receive = ignore;
    this.#timer[Symbol.dispose]();
    this.#left.abort();
    await this.#client?.end(farewell.closing);
    await this.#close(farewell);
    const durationMs = clock.monotonic() - startedAtMs;
    const facts = { route: "/api/ws", durationMs, closeCode: this.#closeCode };
    log.info(
      { ...facts, ...(this.#tokenId !== undefined && { tokenId: this.#tokenId }) },
      "socket",
    );
  }

  async #close({ code, reason, error }: Farewell): Promise<void> {
    const { socket, context } = this.#options;
    const { clock } = context;
    if (error) this.#outbox.send(errorText(error));
    this.#outbox.flush();
    this.#outbox[Symbol.dispose]();
    socket.close(code, reason);
    // The client's own close frame would come after what is not read any more.
    if (this.#isTooLong) this.#options.stream.destroySoon();
    const farewell = clock.after(FAREWELL_MS, () => socket.terminate());
    await this.#gone.promise;
    farewell[Symbol.dispose]();
  }

  /** Frames that arrive while the first one is checked are kept until that is done. */
  #greet(first: RawFrame): void {
    const early: RawFrame[] = [];
    this.#isWaitingForHello = false;
    this.#receive = (frame) => void early.push(frame);
    this.#timer[Symbol.dispose]();
    this.#options.socket.pause();
    this.#signIn(first).then(
      () => {
        for (const frame of early) this.#receive(frame);
        this.#options.socket.resume();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  async #signIn(first: RawFrame): Promise<void> {
    const { context, address, requestLine, stream } = this.#options;
    const hello = readHello(first);
    const { token, proof } = hello;
    const credential = await context.authenticator.authenticate({
      token,
      proof,
      ...requestLine,
      address,
    });
    if (credential.principal !== SOCKET_ACCESS) {
      throw new ProtocolError("FORBIDDEN", "This credential may not do that.");
    }
    this.#tokenId = credential.tokenId;
    context.strangers.know(stream);
    const { clientId, interaction } = hello;
    const caller: SocketCaller = { ...toCaller(credential), clientId };
    if (interaction && caller.scope !== "read" && caller.role !== "viewer") {
      const enabled = interaction.supported && interaction.enabled;
      await context.gateway.setInteractionMode(caller, clientId, { enabled });
    }
    if (this.#left.signal.aborted) return;
    context.streams.run(credential, (ended) => {
      ended.addEventListener("abort", () => this.end(ended.reason as ClosingReason));
      return this.done;
    });
    this.#welcome(credential, caller, interaction?.supported);
  }

  #welcome(
    credential: Credential,
    caller: SocketCaller,
    supportsInteraction: boolean | undefined,
  ): void {
    const { context } = this.#options;
    const { epoch } = context.gateway;
    const left = this.#left.signal;
    const client = new SocketClient({ context, credential, caller, outbox: this.#outbox, left });
    this.#client = client;
    this.#receive = (frame) => {
      try {
        client.receive(frame);
      } catch (error: unknown) {
        this.#fail(error);
      }
    };
    context.gateway.announceClient(caller, {
      signal: left,
      ...(supportsInteraction !== undefined && { supportsInteraction }),
    });
    this.#outbox.send(frameText({ type: "welcome", epoch, protocolVersion: PROTOCOL_VERSION }));
    this.#scheduleHeartbeat();
  }

  #fail(error: unknown): void {
    const told = toClientError(error);
    if (told !== error) this.#options.context.log.error(describeError(error), "socket failed");
    this.#receive = ignore;
    this.#ending.resolve(errorFarewell(told));
  }

  #scheduleHeartbeat(): void {
    const { socket, context } = this.#options;
    const { clock, streamLimits } = context;
    this.#timer = clock.after(streamLimits.heartbeatMs, () => {
      const silentMs = clock.monotonic() - this.#heardAtMs;
      if (silentMs >= MISSED_HEARTBEATS * streamLimits.heartbeatMs) return socket.terminate();
      this.#scheduleHeartbeat();
      // A client that is busy taking frames is not read from. Whether it makes progress is checked by the outbox.
      if (this.#outbox.isFull) return void (this.#heardAtMs = clock.monotonic());
      socket.ping();
      this.#outbox.send(frameText({ type: "ping", at: new Date(clock.now()).toISOString() }));
    });
  }
}

function ignore(): void {}
