import type { Socket } from "node:net";

import { PROTOCOL_VERSION, ProtocolError, SOCKET_LIMITS, tooLarge } from "@holdpoint/protocol";
import type { RawData, WebSocket } from "ws";

import type { Credential } from "../auth/credential.ts";
import { toCaller } from "../auth/to-caller.ts";
import { toClientError } from "../http/problem-response.ts";
import { describeError } from "../http/request-log.ts";
import type { ServerContext } from "../server-context.ts";
import type { ClosingReason } from "../streams/stream-registry.ts";
import { Outbox } from "./outbox.ts";
import { type RawFrame, readHello } from "./read-client-frame.ts";
import type { SocketCaller } from "./run-command.ts";
import { SocketClient } from "./socket-client.ts";
import { closingEnd, errorFarewell, type SocketEnd, GONE, HELLO_TIMEOUT } from "./socket-end.ts";
import { errorText, FRAME_HEAD_BYTES, frameText } from "./socket-frames.ts";

/** The access that a WebSocket requires. */
const SOCKET_ACCESS = "person";
/** Time for the last frames to reach a connected client. */
const FAREWELL_MS = 2000;
/** Intervals without any data after which the client counts as gone. */
const MISSED_HEARTBEATS = 3;

export interface SocketConnectionOptions {
  readonly socket: WebSocket;
  /** The underlying connection. */
  readonly stream: Socket;
  /** The client's address, for counting wrong credentials. */
  readonly address: string | undefined;
  /** The request that opened the WebSocket, which a device's proof must match. */
  readonly requestLine: { readonly method: string; readonly path: string };
  readonly context: ServerContext;
}

/**
 * One WebSocket from its first frame to its last. It counts as a stream of its person, and ends when the token is
 * revoked or the server closes. A client that violates the protocol gets the reason and is disconnected; others are not
 * affected.
 */
export class SocketConnection {
  /** Resolves when the socket is closed and everything is cleaned up. Never rejects. */
  readonly done: Promise<void>;
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  /** Only the first reason counts. */
  readonly #ending = Promise.withResolvers<SocketEnd>();
  readonly #gone = Promise.withResolvers<void>();
  /** Aborts when the client disconnects. */
  readonly #left = new AbortController();
  #isWaitingForHello = true;
  #isTooLong = false;
  #receive: (frame: RawFrame) => void = (frame) => this.#greet(frame);
  #client: SocketClient | undefined;
  #tokenId: string | undefined;
  #closeCode: number | undefined;
  /** The timer of the first frame, later of the next heartbeat. */
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

  /** Ends the connection and its subscriptions with a reason. Does nothing if it is already ending. */
  end(reason: ClosingReason): void {
    this.#ending.resolve(closingEnd(reason));
  }

  #listen(): void {
    const { socket, context } = this.#options;
    const hear = (): void => void (this.#heardAtMs = context.clock.monotonic());
    socket.on("message", (data: RawData, isBinary: boolean) => {
      hear();
      this.#receive({ bytes: data as Buffer, isBinary });
    });
    socket.on("pong", hear);
    socket.on("error", () => this.#ending.resolve(GONE)); // The library has already sent the close code.
    socket.on("close", (code) => {
      this.#closeCode = code;
      this.#gone.resolve();
      this.#ending.resolve(GONE);
    });
  }

  /** Refuses an oversized first frame while it arrives, without waiting for its end. */
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
    // Added after the socket's own listener, so that complete frames are handled first.
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

  async #close({ code, reason, error }: SocketEnd): Promise<void> {
    const { socket, context } = this.#options;
    const { clock } = context;
    if (error) this.#outbox.send(errorText(error));
    this.#outbox.flush();
    this.#outbox[Symbol.dispose]();
    socket.close(code, reason);
    // The client's close frame would follow data that is not read.
    if (this.#isTooLong) this.#options.stream.destroySoon();
    const farewell = clock.after(FAREWELL_MS, () => socket.terminate());
    await this.#gone.promise;
    farewell[Symbol.dispose]();
  }

  /** Checks the first frame. Frames that arrive in the meantime are kept for later. */
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
      // A busy client is not read from. The outbox checks whether it makes progress.
      if (this.#outbox.isFull) return void (this.#heardAtMs = clock.monotonic());
      socket.ping();
      this.#outbox.send(frameText({ type: "ping", at: new Date(clock.now()).toISOString() }));
    });
  }
}

function ignore(): void {}
