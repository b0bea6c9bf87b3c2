import { PROTOCOL_VERSION } from "@holdpoint/protocol";

import type { WebSocketLike } from "../transports/websocket/websocket-connection.ts";

type EventType = "open" | "message" | "close" | "error";
type Frame = Record<string, unknown> & { readonly type: string };

/** One socket that the transport opened; the test controls the gateway's end. */
export interface FakeSocket {
  readonly url: string;
  /** Frames from the client. */
  readonly sent: Frame[];
  /** Whether the client has closed it. */
  readonly isClosed: boolean;
  open(): void;
  /** Sends a frame to the client: strings unchanged, anything else as JSON. */
  give(frame: unknown): void;
  /** Opens the connection and sends `welcome`. */
  welcome(): void;
  /** Ends the connection on the gateway's side. */
  breakOff(): void;
  /** The newest frame of a type from the client. */
  last(type: string): Frame;
}

/** Creates sockets without a network. */
export function createFakeWebSockets(): {
  readonly sockets: FakeSocket[];
  readonly WebSocket: new (url: string) => WebSocketLike;
} {
  const sockets: FakeSocket[] = [];
  class FakeWebSocket implements WebSocketLike {
    readonly #listeners = new Map<EventType, ((event: { data?: unknown }) => void)[]>();
    readonly #sent: Frame[] = [];
    #isClosed = false;

    constructor(url: string) {
      const isClosed = (): boolean => this.#isClosed;
      const emit = (type: EventType, event: { data?: unknown } = {}): void => {
        for (const listener of this.#listeners.get(type) ?? []) listener(event);
      };
      const socket: FakeSocket = {
        url,
        sent: this.#sent,
        get isClosed() {
          return isClosed();
        },
        open: () => emit("open"),
        give: (frame) =>
          emit("message", { data: typeof frame === "string" ? frame : JSON.stringify(frame) }),
        welcome() {
          socket.open();
          socket.give({ type: "welcome", epoch: "epoch", protocolVersion: PROTOCOL_VERSION });
        },
        breakOff: () => emit("close"),
        last: (type) => {
          const frame = socket.sent.findLast((one) => one.type === type);
          if (!frame) throw new Error(`The client has sent no ${type}.`);
          return frame;
        },
      };
      sockets.push(socket);
    }

    send(text: string): void {
      if (!this.#isClosed) this.#sent.push(JSON.parse(text) as Frame);
    }

    close(): void {
      this.#isClosed = true;
    }

    addEventListener(type: EventType, listener: (event: { data?: unknown }) => void): void {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
    }
  }
  return { sockets, WebSocket: FakeWebSocket };
}
