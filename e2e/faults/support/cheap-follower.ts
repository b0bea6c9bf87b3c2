import { connect, type Socket } from "node:net";

import type { SharedLog } from "./shared-log.ts";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FIN = 0x80;
const MASKED = 0x80;
/** Length codes that announce how many bytes of length follow. */
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;
const END_OF_HEAD = "\r\n\r\n";
const EVENT_TYPE = '{"type":"chat_event",';

export interface CheapFollowerOptions {
  readonly url: string;
  readonly token: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly log: SharedLog;
}

/**
 * A client that follows one session on a WebSocket and only compares the bytes of its events with those that the
 * other clients got: a thousand of them cost less than the gateway that they keep busy. It implements only the
 * necessary part of the protocol.
 */
export class CheapFollower implements Disposable {
  /** The number of events it got. */
  received = 0;
  /** The first fault in its events. */
  problem: string | undefined;
  readonly #options: CheapFollowerOptions;
  readonly #socket: Socket;
  #isOpen = false;
  #unread: Buffer = Buffer.alloc(0);

  constructor(options: CheapFollowerOptions) {
    this.#options = options;
    const { hostname, port, host } = new URL(options.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay();
    this.#socket.on("error", ({ message }) => this.#fail(message));
    this.#socket.on("data", (bytes) => this.#read(bytes));
    const head = [
      "GET /api/ws HTTP/1.1",
      `Host: ${host}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    ];
    this.#socket.write(`${head.join("\r\n")}${END_OF_HEAD}`);
    const { token, clientId, sessionId } = options;
    this.#send(TEXT, JSON.stringify({ type: "hello", token, clientId }));
    this.#send(TEXT, JSON.stringify({ type: "subscribe", sessionId }));
  }

  [Symbol.dispose](): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  #fail(problem: string): void {
    this.problem ??= problem;
  }

  #read(bytes: Buffer): void {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    if (!this.#isOpen) {
      const end = this.#unread.indexOf(END_OF_HEAD);
      if (end === -1) return;
      if (!this.#unread.subarray(0, end).includes(" 101 ")) this.#fail("It was not let in.");
      this.#isOpen = true;
      this.#unread = this.#unread.subarray(end + END_OF_HEAD.length);
    }
    for (let frame = this.#nextFrame(); frame; frame = this.#nextFrame()) this.#take(frame);
  }

  #nextFrame(): { readonly head: number; readonly payload: Buffer } | undefined {
    const unread = this.#unread;
    const [head, short] = unread;
    if (head === undefined || short === undefined) return undefined;
    const lengthBytes = short === LENGTH_IN_8 ? 8 : short === LENGTH_IN_2 ? 2 : 0;
    const start = 2 + lengthBytes;
    if (unread.length < start) return undefined;
    // Of the eight length bytes, the last six fit a number.
    const length =
      lengthBytes === 0
        ? short
        : unread.readUIntBE(start - Math.min(lengthBytes, 6), Math.min(lengthBytes, 6));
    if (unread.length < start + length) return undefined;
    this.#unread = unread.subarray(start + length);
    return { head, payload: unread.subarray(start, start + length) };
  }

  #take({ head, payload }: { readonly head: number; readonly payload: Buffer }): void {
    if (head === (FIN | PING)) return this.#send(PONG, payload.toString());
    if (head === (FIN | CLOSE)) return this.#fail("It was closed.");
    if (head !== (FIN | TEXT)) return this.#fail(`A frame begins with ${head}.`);
    if (payload.subarray(0, EVENT_TYPE.length).toString("latin1") !== EVENT_TYPE) return;
    if (!this.#options.log.agrees(this.received, payload)) {
      this.#fail(`Event ${this.received + 1} is not what the others got.`);
    }
    this.received += 1;
  }

  /** With a mask of zeros, which leaves the bytes unchanged. */
  #send(opcode: number, text: string): void {
    const payload = Buffer.from(text);
    const length =
      payload.length < LENGTH_IN_2
        ? [MASKED | payload.length]
        : [MASKED | LENGTH_IN_2, payload.length >> 8, payload.length & 0xff];
    this.#socket.write(Buffer.from([FIN | opcode, ...length, 0, 0, 0, 0, ...payload]));
  }
}
