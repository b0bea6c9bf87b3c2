import { createServer } from "node:http";
import { Duplex } from "node:stream";

import { createSystemClock } from "@holdpoint/engine";
import type { SerializedFrame } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { sendEventStream } from "./event-stream.ts";
import { DEFAULT_STREAM_LIMITS } from "./stream-limits.ts";

/** A connection that takes everything, and keeps each write apart. */
function createConnection(): { readonly connection: Duplex; readonly writes: string[] } {
  const writes: string[] = [];
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      done();
    },
    writev(chunks: { chunk: Buffer }[], done) {
      writes.push(chunks.map(({ chunk }) => chunk.toString()).join(""));
      done();
    },
  });
  return { connection, writes };
}

test("frames that come together are one write of the connection, however large", async () => {
  const ended = new AbortController();
  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
  const texts = ["a".repeat(100), "b".repeat(5000), "c".repeat(100)];
  async function* follow() {
    yield texts.map((text): SerializedFrame => ({ json: JSON.stringify(text) }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    ended.abort("draining");
  }
  const server = createServer((_, outgoing) => {
    const { epoch, clock } = { epoch: "e", clock: createSystemClock() };
    const limits = DEFAULT_STREAM_LIMITS;
    const options = { outgoing, epoch, ended: ended.signal, clock, limits, follow };
    void sendEventStream(options).then(finish);
  });
  const { connection, writes } = createConnection();
  server.emit("connection", connection);
  connection.push("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await isOver;
  const withFrames = writes.filter((text) => /a{100}|b{5000}|c{100}/.test(text));
  expect(withFrames).toHaveLength(1);
  for (const text of texts) expect(withFrames[0]).toContain(`data: ${JSON.stringify(text)}\n\n`);
  // The head, the frames, why it ends, and its end.
  expect(writes.length).toBeLessThanOrEqual(4);
});
