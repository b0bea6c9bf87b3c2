import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { ConnectionRoom } from "./connection-room.ts";

function dial(port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test("[R-20] a server refuses connections beyond its limit, logs that once, and accepts others when there is room", async () => {
  const clock = new SimulatedClock();
  const warnings: string[] = [];
  const log = { warn: (_facts: object, text: string) => void warnings.push(text) };
  const room = new ConnectionRoom({ clock, log, most: 2 });
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  room.watch(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const kept = [dial(port), dial(port)];
  for (const socket of kept) await once(socket, "connect");
  for (let more = 0; more < 3; more += 1) await once(dial(port), "close");
  expect([room.isFull, warnings.length]).toEqual([true, 1]);
  await clock.advance(10_000);
  expect(room.isFull).toBe(false);
});

test("[R-20] a server's error, such as no free file descriptor, ends nothing and is reported", async () => {
  const clock = new SimulatedClock();
  const room = new ConnectionRoom({ clock, log: { warn: () => undefined } });
  const server = createServer();
  room.watch(server);
  server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
  expect(room.isFull).toBe(true);
});

test("[R-20] half of the file descriptors of this process stay free for agents and files", () => {
  const room = new ConnectionRoom({ clock: new SimulatedClock(), log: { warn: () => undefined } });
  expect(room.most).toBeGreaterThan(0);
  expect(room.most).toBeLessThan(2 ** 31);
});
