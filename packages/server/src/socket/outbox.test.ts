import type { IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { setImmediate as turnEnd } from "node:timers/promises";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

import { Outbox } from "./outbox.ts";

const UPGRADE = {
  method: "GET",
  headers: {
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "x".repeat(22).concat("=="),
  },
} as unknown as IncomingMessage;

/** A connection that accepts everything, and the data of each write. */
class Wire extends Duplex {
  readonly writes: string[] = [];
  override _read(): void {}
  override _writev(pieces: { chunk: Buffer }[], taken: () => void): void {
    this.writes.push(pieces.map(({ chunk }) => chunk.toString("latin1")).join(""));
    taken();
  }
}

test("frames of one turn of the event loop are one write, in order", async () => {
  await using wire = new Wire();
  const sockets = new WebSocketServer({ noServer: true });
  const socket = await new Promise<WebSocket>((resolve) => {
    sockets.handleUpgrade(UPGRADE, wire, Buffer.alloc(0), resolve);
  });
  wire.writes.length = 0;
  using outbox = new Outbox({
    socket,
    stream: wire,
    clock: new SimulatedClock(),
    limits: { maxUnreadBytes: 1024, stallMs: 1000 },
    onStalled: () => undefined,
  });
  outbox.send("one");
  outbox.send("two");
  await turnEnd();
  outbox.send("three");
  await turnEnd();
  expect(wire.writes).toEqual(["\x81\x03one\x81\x03two", "\x81\x05three"]);
});
