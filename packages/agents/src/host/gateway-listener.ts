import { timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import net from "node:net";

import { encodeFrame, FrameDecoder, HOST_VERSION, type HostFrame } from "./host-protocol.ts";

/** The connection to the attached gateway. */
export interface GatewayConnection {
  /** Returns false if the connection's buffer is full or the connection has ended. */
  send(frame: HostFrame): boolean;
  /** Calls `action` once, when the buffer has drained. */
  onceDrained(action: () => void): void;
  /** Sends a last frame and closes the connection. */
  end(last: HostFrame): void;
  /** Closes the connection at once. */
  destroy(): void;
}

export interface GatewayListenerOptions {
  readonly socketPath: string;
  /** A folder that was created for the socket alone. */
  readonly folder?: string;
  readonly token: string;
  readonly onListening: () => void;
  /** Called when a gateway has proven that it may attach. */
  readonly onAttach: (gateway: GatewayConnection) => void;
  readonly onFrame: (gateway: GatewayConnection, frame: HostFrame) => void;
  /** Called when the gateway is gone, or has sent an invalid frame. A half-open connection counts as gone. */
  readonly onLost: (gateway: GatewayConnection) => void;
}

/**
 * Listens for gateways until disposed. A connection with a wrong token is closed; disposal closes all connections that
 * have not attached.
 */
export function openGatewayListener(options: GatewayListenerOptions): Disposable {
  const strangers = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    strangers.add(socket);
    socket.once("close", () => strangers.delete(socket));
    welcome(socket, {
      ...options,
      onAttach(gateway) {
        strangers.delete(socket);
        options.onAttach(gateway);
      },
    });
  });
  rmSync(options.socketPath, { force: true });
  server.listen(options.socketPath, options.onListening);
  return {
    [Symbol.dispose]() {
      server.close();
      for (const stranger of strangers) stranger.destroy();
      for (const path of [options.socketPath, options.folder ?? []].flat()) {
        rmSync(path, { recursive: true, force: true });
      }
    },
  };
}

function welcome(socket: net.Socket, options: GatewayListenerOptions): void {
  const decoder = new FrameDecoder();
  const gateway = toConnection(socket);
  let isAttached = false;
  const lose = (): void => {
    if (isAttached) options.onLost(gateway);
    isAttached = false;
  };
  const take = (frame: HostFrame): void => {
    if (isAttached) options.onFrame(gateway, frame);
    else isAttached = letIn(frame, gateway, options);
  };
  socket.on("error", () => undefined); // followed by "close", which is handled
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of decoder.push(chunk)) {
        if (!socket.destroyed) take(frame);
      }
    } catch {
      socket.destroy(); // an invalid frame
    }
  });
  socket.once("end", lose);
  socket.once("close", lose);
}

function letIn(
  frame: HostFrame,
  gateway: GatewayConnection,
  options: GatewayListenerOptions,
): boolean {
  if (frame.type !== "attach" || !isToken(frame.token, options.token)) {
    gateway.destroy();
    return false;
  }
  if (frame.version !== HOST_VERSION) {
    gateway.end({ type: "refused", version: HOST_VERSION });
    return false;
  }
  options.onAttach(gateway);
  return true;
}

function isToken(token: unknown, right: string): boolean {
  const expected = Buffer.from(right);
  const given = Buffer.from(String(token));
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

function toConnection(socket: net.Socket): GatewayConnection {
  return {
    send: (frame) => socket.writable && socket.write(encodeFrame(frame)),
    onceDrained(action) {
      if (socket.writable) socket.once("drain", action);
    },
    end: (last) => {
      if (socket.writable) socket.end(encodeFrame(last));
    },
    destroy: () => void socket.destroy(),
  };
}
