import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import type { SubscribeBody } from "@holdpoint/protocol";

import { decryptMessage } from "./decrypt-message.ts";

/** A message as a browser would show it. */
export interface PushedMessage {
  readonly step: "tell" | "repeat" | "close" | "test";
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

export interface ReceivedPush {
  /** The name of the subscription. */
  readonly to: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The encrypted bytes as received. */
  readonly bytes: Buffer;
  readonly message: PushedMessage;
  /** The complete decrypted text. */
  readonly text: string;
  readonly atMs: number;
}

export interface PushAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A push service for tests (RFC 8030). It accepts only messages with a valid signature (RFC 8292), and decrypts them
 * as a browser would.
 */
export interface PushService extends AsyncDisposable {
  /** `host:port`. */
  readonly host: string;
  readonly received: ReceivedPush[];
  /** Its answer; default: 201. Runs before a message counts as received. */
  answer: (push: ReceivedPush) => PushAnswer | Promise<PushAnswer>;
  /** A browser's subscription under this name; the same name has the same keys. */
  subscribe(name: string): Pick<SubscribeBody, "endpoint" | "keys">;
}

interface Receiver {
  readonly pair: ReturnType<typeof createECDH>;
  readonly auth: string;
}

export async function startPushService(tls: {
  readonly cert: string;
  readonly key: string;
}): Promise<PushService> {
  const receivers = new Map<string, Receiver>();
  const server: Server = createServer(tls);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const service: PushService = {
    host,
    received: [],
    answer: () => ({ status: 201 }),
    subscribe(name) {
      const receiver = receivers.get(name) ?? createReceiver();
      receivers.set(name, receiver);
      const p256dh = receiver.pair.getPublicKey().toString("base64url");
      const endpoint = `https://${host}/push/${encodeURIComponent(name)}`;
      return { endpoint, keys: { p256dh, auth: receiver.auth } };
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const to = decodeURIComponent(request.url?.replace("/push/", "") ?? "");
    const receiver = receivers.get(to);
    if (!receiver) return void response.writeHead(404).end();
    if (!isAuthorized(request.headers.authorization ?? "", `https://${host}`)) {
      return void response.writeHead(403).end();
    }
    const text = decryptMessage(bytes, receiver).toString();
    const message = JSON.parse(text) as PushedMessage;
    const push = { to, headers: request.headers, bytes, message, text, atMs: performance.now() };
    const { status, headers = {} } = await service.answer(push);
    if (status < 300) service.received.push(push);
    response.writeHead(status, headers).end();
  };
  server.on("request", (request, response) => void answer(request, response));
  return service;
}

function createReceiver(): Receiver {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { pair, auth: randomBytes(16).toString("base64url") };
}

/** `vapid t=<JWT>, k=<public key>`, for this service and valid for at most a day. */
function isAuthorized(header: string, audience: string): boolean {
  const [, head = "", claims = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/u.exec(header) ?? [];
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const jwk = { kty: "EC", crv: "P-256", x: x!, y: y! };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const said = JSON.parse(Buffer.from(claims, "base64url").toString()) as {
    aud: string;
    exp: number;
    sub: string;
  };
  const isOfNow = said.exp * 1000 > 0;
  return isSigned && isOfNow && said.aud === audience && /^(?:mailto|https):/u.test(said.sub);
}
