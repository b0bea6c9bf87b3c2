// The minimal cost of notifying every client: a POST whose texts are written to every stream unchanged. It implements
// only the part of the WebSocket protocol that sends text.
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import type { GatewayPlace } from "../support/gateway-protocol.ts";
import { serveCalls } from "../support/processes.ts";
import type { Texts } from "./crowd-protocol.ts";

const sessionStreams = new Set<ServerResponse>();
const overviewStreams = new Set<ServerResponse>();
const sockets = new Set<Duplex>();

const server = createServer((request, response) => {
  if (request.method === "GET") {
    const streams = request.url?.startsWith("/api/events") ? overviewStreams : sessionStreams;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: {}\n\n");
    streams.add(response);
    response.on("close", () => streams.delete(response));
    return;
  }
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const { session, overview } = JSON.parse(text) as Texts;
    for (const stream of sessionStreams) stream.write(session);
    for (const stream of overviewStreams) stream.write(overview);
    const frame = toFrame(session + overview);
    for (const socket of sockets) socket.write(frame);
    response.end("{}");
  });
});

server.on("upgrade", (request, socket) => {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(toFrame('{"type":"welcome"}'));
  socket.resume();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => sockets.delete(socket));
  sockets.add(socket);
});

/** One frame of text shorter than 64 KiB. */
function toFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head =
    bytes.length < 126
      ? Buffer.from([0x81, bytes.length])
      : Buffer.from([0x81, 126, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([head, bytes]);
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveCalls({ port, token: "none", startedInMs: 0 } satisfies GatewayPlace, async () => ({}));
});
