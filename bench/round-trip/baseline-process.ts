// The minimal cost of the job: node:http, one event stream, and two SQLite commits per trip, for the request and the
// response. argv: database file, and "single" (a commit each) or "group" (one for everything in one turn of the event
// loop).
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";

import {
  type GatewayPlace,
  type GatewayRequest,
  measureAgents,
} from "../support/gateway-protocol.ts";
import { serveCalls } from "../support/processes.ts";

const [file = ":memory:", mode] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE event (session TEXT, seq INTEGER, json TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID;
  CREATE TABLE interaction (id TEXT PRIMARY KEY, status TEXT, json TEXT) WITHOUT ROWID;
`);
const insertEvent = database.prepare("INSERT INTO event VALUES (?, ?, ?)");
const insertRow = database.prepare("INSERT INTO interaction VALUES (?, 'pending', ?)");
const updateRow = database.prepare("UPDATE interaction SET status = ? WHERE id = ? AND status = ?");

let agents = 0;
let queue: { write: () => void; done: () => void }[] = [];
let seq = 0;

function commit(write: () => void): Promise<void> {
  return new Promise((done) => {
    queue.push({ write, done });
    if (mode === "single") flush();
    else if (queue.length === 1) setImmediate(flush);
  });
}

function flush(): void {
  const batch = queue;
  queue = [];
  database.exec("BEGIN IMMEDIATE");
  for (const { write } of batch) write();
  database.exec("COMMIT");
  for (const { done } of batch) done();
}

const body = JSON.stringify({
  tool: "Bash",
  input: { command: "npm test -- dates" },
  text: "x".repeat(300),
});
const waiters = new Map<string, () => void>();
let stream: ServerResponse | undefined;

async function ask(agent: number, round: number): Promise<void> {
  const id = `${agent}-${round}-${seq}`;
  const answered = new Promise<void>((resolve) => waiters.set(id, resolve));
  await commit(() => {
    seq += 1;
    insertEvent.run(`s${agent}`, seq, body);
    insertRow.run(id, body);
  });
  stream?.write(`data: {"interactionId":"${id}","body":${body}}\n\n`);
  await answered;
}

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    stream = response;
    return;
  }
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const { interactionId } = JSON.parse(text) as { interactionId: string };
    void commit(() => {
      seq += 1;
      insertEvent.run("s", seq, text);
      updateRow.run("answered", interactionId, "pending");
    }).then(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ interactionId, body }));
      waiters.get(interactionId)?.();
      waiters.delete(interactionId);
    });
  });
});

async function answer(request: GatewayRequest): Promise<object> {
  if (request.type === "run") return measureAgents(agents, request.rounds, ask);
  if (request.type === "open") agents += request.sessions;
  return {};
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveCalls({ port, token: "none", startedInMs: 0 } satisfies GatewayPlace, answer);
});
