import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { ToolEndpoint } from "./host-protocol.ts";
import { type RequestId, OpenRequestIds } from "./open-request-ids.ts";
import { RelaySession, RelayTarget } from "./relay-session.ts";

// An `import` of this module would load all of its exports, which take 12 MB.
const { createServer } = process.getBuiltinModule("node:http");

/** Interval of keep-alive comments for a waiting agent. */
const COMMENT_INTERVAL_MS = 15_000;
/** An agent that dies loses its connections, often before its host notices that it has ended. */
const DEATH_GRACE_MS = 2000;
/** How long a gateway has to receive a cancellation. */
const TELL_LIMIT_MS = 1000;
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Serves the gateway's tools to the agent, at one address for as long as the agent lives. */
export interface ToolRelay extends Disposable {
  readonly endpoint: ToolEndpoint;
  /** Sets the gateway's endpoint. `undefined`: none. Open calls wait for the next endpoint and are then repeated. */
  serve(target: ToolEndpoint | undefined): void;
}

/**
 * Listens on loopback. An agent takes a lost connection for the tool's answer, so a call stays open until a gateway has
 * its answer, and is answered once, even if gateways come and go.
 */
export async function openToolRelay(): Promise<ToolRelay> {
  const token = randomBytes(32).toString("base64url");
  const target = new RelayTarget();
  const sessions = new Map<string, RelaySession>();
  const server = createServer((request, response) => {
    if (!isAllowed(request, token)) {
      response.writeHead(401).end();
      return;
    }
    answer({ request, response, sessions, target }).catch(() => response.destroy());
  });
  // A call may wait for days.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: { url: `http://127.0.0.1:${port}/mcp`, token },
    serve: (to) => target.set(to),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(headers.authorization ?? "");
  // Web pages send an origin; the agent's runtime does not.
  const isOfPage = headers.origin !== undefined;
  return !isOfPage && given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessions: Map<string, RelaySession>;
  readonly target: RelayTarget;
}

async function answer({ request, response, sessions, target }: Exchange): Promise<void> {
  const { method, headers } = request;
  const body = method === "POST" ? await readBody(request) : "";
  const asked = parseAsked(body);
  if (asked.method === "initialize") {
    const session = new RelaySession(target, body);
    const id = randomUUID();
    sessions.set(id, session);
    response.setHeader("mcp-session-id", id);
    await stream(response, async (signal, write) => write(await session.begin(signal)));
    return;
  }
  const id = String(headers["mcp-session-id"]);
  const session = sessions.get(id);
  if (session === undefined) {
    response.writeHead(404).end();
    return;
  }
  const version = headers["mcp-protocol-version"];
  session.speaks(typeof version === "string" ? version : undefined);
  if (method === "DELETE") {
    sessions.delete(id);
    await session.tell("DELETE").catch(() => undefined); // the gateway and its session are gone
    response.writeHead(200).end();
  } else if (method === "GET") {
    await stream(response, (signal, write) => session.follow(signal, write));
  } else if (asked.ids.length === 0) {
    // Each gateway has received "initialized" already. Other notifications are not repeated to the next gateway, since
    // they would come too late.
    if (asked.method !== "notifications/initialized") {
      void session.tell("POST", body).catch(() => undefined);
    }
    response.writeHead(202).end();
  } else {
    await askUnderFreeIds(session, { body, asked, response });
  }
}

/** Asks only if all request ids are free: cancellations name the id, so no two open calls may share one. */
async function askUnderFreeIds(
  session: RelaySession,
  { body, asked, response }: { body: string; asked: Asked; response: ServerResponse },
): Promise<void> {
  using taken = OpenRequestIds.take(session.openIds, asked.ids);
  if (taken) {
    await stream(response, (signal, write) => askAll(session, { body, taken, signal, write }));
    return;
  }
  const message = "Invalid Request: a request with this id is open.";
  const error = { code: -32_600, message };
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
}

interface Asked {
  readonly method: string | undefined;
  /** The ids of the requests in the body. */
  readonly ids: readonly RequestId[];
}

function parseAsked(body: string): Asked {
  if (body === "") return { method: undefined, ids: [] };
  const messages = [JSON.parse(body) as unknown].flat().map(toFields);
  const ids = messages.flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
  const [first] = messages;
  return { method: typeof first?.["method"] === "string" ? first["method"] : undefined, ids };
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || typeof id === "number";
}

type Write = (message: string) => void;

/** Sends each response to the agent once, even if the connection to the gateway is lost between several responses. */
async function askAll(
  session: RelaySession,
  {
    body,
    taken,
    signal,
    write,
  }: { body: string; taken: OpenRequestIds; signal: AbortSignal; write: Write },
): Promise<void> {
  signal.throwIfAborted();
  const givenUp = new AbortController();
  signal.addEventListener("abort", () => {
    void giveUp(session, taken.left).then(() => givenUp.abort(signal.reason));
  });
  const { refused } = await session.ask({
    body,
    signal: givenUp.signal,
    isLast: () => taken.left.size === 0,
    onMessage(message) {
      for (const part of [JSON.parse(message) as unknown].flat()) {
        const { id, method } = toFields(part);
        const isResponse = isId(id) && method === undefined;
        if (!isResponse || taken.free(id)) write(JSON.stringify(part));
      }
    },
  });
  if (refused === undefined) return;
  for (const id of taken.left) {
    // The gateway does not have this request, so nothing is cancelled when the agent leaves.
    taken.free(id);
    const error = { code: -32_603, message: `The gateway has refused the request: ${refused}.` };
    write(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }
}

/**
 * Cancels the calls of an agent that left without its answers. If the agent has died, its calls end anyway. Otherwise
 * the gateway needs the cancellation, since it keeps calls open after a lost connection.
 */
async function giveUp(session: RelaySession, ids: ReadonlySet<RequestId>): Promise<void> {
  if (ids.size === 0) return;
  await sleep(DEATH_GRACE_MS, undefined, { ref: false });
  const told = [...ids].map((requestId) => {
    const params = { requestId, reason: "The agent gave up on the call." };
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    return session.tell("POST", body);
  });
  await Promise.race([Promise.allSettled(told), sleep(TELL_LIMIT_MS, undefined, { ref: false })]);
}

/** Answers with an event stream at once: before that, the agent would take a lost connection for an answer. */
async function stream(
  response: ServerResponse,
  run: (signal: AbortSignal, write: Write) => Promise<unknown>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  void comment(response, gone.signal);
  await run(gone.signal, (message) => response.write(`event: message\ndata: ${message}\n\n`));
  response.end();
}

async function comment(response: ServerResponse, gone: AbortSignal): Promise<void> {
  while (!gone.aborted) {
    await sleep(COMMENT_INTERVAL_MS, undefined, { signal: gone }).catch(() => undefined); // answered
    if (!gone.aborted) response.write(": still waiting\n\n");
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteCount += chunk.byteLength;
    if (byteCount > MAX_BODY_BYTES) throw new Error("The request is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
