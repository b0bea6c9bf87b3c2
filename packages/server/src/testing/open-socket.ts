import { once } from "node:events";
import type { Socket } from "node:net";

import { WebSocket } from "ws";

import { PERSON_TOKEN, type Served } from "./serve.ts";

/** A frame as it came from the gateway. */
export type ReceivedSocketFrame = Record<string, unknown> & { readonly type: string };

/** A WebSocket of a client that can misbehave. */
export interface TestSocket {
  readonly socket: WebSocket;
  /** The connection under it. */
  readonly stream: Socket;
  /** Sends strings unchanged, anything else as JSON. */
  send(frame: unknown): void;
  /** The next frame; rejects when the connection ends first. */
  next(): Promise<ReceivedSocketFrame>;
  take(count: number): Promise<ReceivedSocketFrame[]>;
  /** Every frame up to the end of the connection. */
  rest(): Promise<ReceivedSocketFrame[]>;
  /** How the connection ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Closes it and waits for the end. */
  leave(): Promise<void>;
}

/** Opens `/api/ws` without sending anything. */
export async function openSocket(
  { port }: Pick<Served<unknown>, "port">,
  { path = "/api/ws", ...options }: { path?: string; origin?: string } = {},
): Promise<TestSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  const frames: ReceivedSocketFrame[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  let stream: Socket | undefined;
  socket.on("upgrade", (response) => (stream = response.socket));
  socket.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as ReceivedSocketFrame);
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => {
      resolve({ code, reason: reason.toString() });
      wake();
    });
  });
  await once(socket, "open");
  socket.on("error", () => undefined);
  const arrived = async (): Promise<boolean> => {
    while (frames.length === 0 && socket.readyState !== WebSocket.CLOSED) {
      await new Promise<void>((resolve) => void waiting.add(resolve));
    }
    return frames.length > 0;
  };
  const next = async (): Promise<ReceivedSocketFrame> => {
    if (await arrived()) return frames.shift()!;
    throw new Error("The connection ended.");
  };
  return {
    socket,
    stream: stream!,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    next,
    async take(count) {
      const taken = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    async rest() {
      await closed;
      return frames.splice(0);
    },
    closed,
    async leave() {
      socket.close(1000);
      await closed;
    },
  };
}

/** The first frame of a person's client. */
export function hello(changes: object = {}): object {
  return { type: "hello", token: PERSON_TOKEN, clientId: "cli_1", ...changes };
}

/** A connection whose `hello` was accepted. */
export async function openWelcomed(
  served: Pick<Served<unknown>, "port">,
  changes: object = {},
): Promise<TestSocket> {
  const client = await openSocket(served);
  client.send(hello(changes));
  const { type } = await client.next();
  if (type !== "welcome") throw new Error(`The gateway answered ${type} to hello.`);
  return client;
}
