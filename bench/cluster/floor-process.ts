// The minimal cost of a trip on Postgres: node:http, one event stream, and one statement each for the request and the
// response. Each statement takes the session's next number, writes an event, and writes or settles the row. argv: the
// database.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { Pool } from "pg";

import {
  type GatewayPlace,
  type GatewayRequest,
  measureAgents,
} from "../support/gateway-protocol.ts";
import { serveCalls } from "../support/processes.ts";

const pool = new Pool({ connectionString: process.argv[2], max: 10 });
await pool.query(`
  CREATE SCHEMA floor;
  CREATE TABLE floor.session (id text PRIMARY KEY, last_seq int NOT NULL);
  CREATE TABLE floor.event (session text, seq int, body text, PRIMARY KEY (session, seq));
  CREATE TABLE floor.interaction (id text PRIMARY KEY, session text, status text, body text);
`);

/** The event of this statement in its session. */
const WITH_EVENT = `
  WITH place AS (
    INSERT INTO floor.session VALUES ($1, 1)
    ON CONFLICT (id) DO UPDATE SET last_seq = floor.session.last_seq + 1 RETURNING last_seq
  ), event AS (INSERT INTO floor.event SELECT $1, last_seq, $2 FROM place)`;
const REQUEST = {
  name: "request",
  text: `${WITH_EVENT} INSERT INTO floor.interaction VALUES ($3, $1, 'pending', $2)`,
};
const RESPONSE = {
  name: "response",
  text: `${WITH_EVENT} UPDATE floor.interaction SET status = 'answered', body = $2
    WHERE id = $3 AND status = 'pending'`,
};
/** About as long as the body of an approval. */
const BODY = JSON.stringify({
  tool: "Bash",
  input: { command: "npm test -- dates" },
  text: "x".repeat(300),
});

const waiters = new Map<string, () => void>();
const sessions = new Map<string, string>();
let stream: ServerResponse | undefined;
let agents = 0;
let asked = 0;

async function ask(session: string, body: string): Promise<string> {
  asked += 1;
  const id = `int_${asked}`;
  sessions.set(id, session);
  await pool.query({ ...REQUEST, values: [session, body, id] });
  stream?.write(`data: {"interactionId":"${id}","body":${body}}\n\n`);
  return id;
}

async function settle(id: string, body: string): Promise<void> {
  await pool.query({ ...RESPONSE, values: [sessions.get(id), body, id] });
  sessions.delete(id);
  waiters.get(id)?.();
  waiters.delete(id);
}

async function hold(agent: number): Promise<void> {
  const answered = Promise.withResolvers<void>();
  // The answer may arrive before the next statement here.
  waiters.set(`int_${asked + 1}`, answered.resolve);
  await ask(`ses_${agent}`, BODY);
  await answered.promise;
}

const server = createServer((incoming, outgoing) => {
  if (incoming.method === "GET") {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.flushHeaders();
    stream = outgoing;
    return;
  }
  void answerPost(incoming, outgoing);
});

async function answerPost(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await text(incoming);
  const [, what, session = ""] = incoming.url?.split("/") ?? [];
  const { interactionId = await ask(session, body) } = JSON.parse(body) as {
    interactionId?: string;
  };
  if (what === "answer") await settle(interactionId, body);
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ interactionId, body }));
}

async function answer(request: GatewayRequest): Promise<object> {
  if (request.type === "run") return measureAgents(request.agents ?? agents, request.rounds, hold);
  if (request.type === "open") agents += request.sessions;
  return {};
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveCalls({ port, token: "none", startedInMs: 0 } satisfies GatewayPlace, answer);
});
