import { readdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { isTerminalKind, type TerminalAsks } from "@holdpoint/agents";
import { parseExactJson } from "@holdpoint/protocol";
import { descriptorLimit } from "@holdpoint/server";

import { listenAt } from "../control/socket-place.ts";
import { doorPath } from "./terminal-paths.ts";

/*
 * HTTP over a socket in the data folder, without a port: both sides belong to this user. So no settings file needs a
 * credential, and none can reach a stranger on a port. Hooks can only ask: an answer goes to the connection that waits
 * for it.
 */

const MAX_ASK_BYTES = 1024 * 1024;
/** An event contains the tool's result. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const MAX_CONNECTIONS = 500;
const PID = /^[1-9]\d{0,9}$/;
const ID = /^[\w-]{3,64}$/;

/** Serves hooks until disposed. Rejects if the socket cannot be created. */
export async function openHookServer(
  dataDir: string,
  asks: TerminalAsks,
): Promise<AsyncDisposable> {
  const path = doorPath(dataDir);
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    serve(asks, request, response).catch(() => response.destroy());
  });
  server.maxConnections = Math.min(MAX_CONNECTIONS, Math.floor(descriptorLimit() / 4));
  server.keepAliveTimeout = 1;
  // A killed gateway leaves the marks of its hooks behind.
  await removeDeadMarks(dataDir);
  const socket = await listenAt(server, path);
  return {
    async [Symbol.asyncDispose]() {
      // Hooks that lose their connection here ask the next gateway.
      asks[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await socket[Symbol.asyncDispose]();
    },
  };
}

const MARK = /^terminal-(\d+)-\d+\.waits$/;

/** Removes the marks of dead hooks, since each mark makes every event of a terminal cost a connection. */
async function removeDeadMarks(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const [, pid] = MARK.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dataDir, name), { force: true });
  }
}

/** Whether this user has a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function serve(
  asks: TerminalAsks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, action, id = "", kind = "claude"] = (request.url ?? "").split("/");
  if (action === "wait" && ID.test(id)) return wait(asks, id, response);
  if (request.method !== "POST" || !isTerminalKind(kind)) return end(response, 404);
  switch (action) {
    case "ask": {
      const body = await readJson(request, MAX_ASK_BYTES);
      return end(response, ID.test(id) && asks.ask(id, body, kind) ? 202 : 400);
    }
    case "tell":
      asks.tell(
        await readJson(request, MAX_EVENT_BYTES),
        PID.test(id) ? Number(id) : undefined,
        kind,
      );
      return end(response, 202);
    case "pass":
      return pass(asks, request, response);
    case "try":
      await readJson(request, MAX_ASK_BYTES);
      return end(response, 202);
    default:
      return end(response, 404);
  }
}

/** Takes the call's pass, unless the hook is gone: a pass is valid once. */
async function pass(
  asks: TerminalAsks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request, MAX_ASK_BYTES);
  if (!(await hasGone(request))) end(response, 200, await asks.pass(body));
}

/** Whether the request's hook has ended. Data after the request is read in the next turn of the event loop. */
async function hasGone({ socket }: IncomingMessage): Promise<boolean> {
  await setImmediate();
  await setImmediate();
  return socket.destroyed || socket.readableEnded;
}

/** Sends the answer as soon as there is one; 408 tells the hook to come again. */
async function wait(asks: TerminalAsks, id: string, response: ServerResponse): Promise<void> {
  const visit = asks.visit(id);
  if (!visit) return end(response, 404);
  let output: string | undefined;
  response.on("close", () => {
    if (!response.writableFinished) visit.lost();
    else if (output === undefined) visit.left();
    else visit.taken();
  });
  output = await visit.output;
  if (output === undefined) end(response, 408);
  else end(response, 200, output);
}

function end(response: ServerResponse, status: number, text = ""): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  response.end(text);
}

/**
 * Rejects for a body that is too long, is not JSON, or has a number that cannot be kept exactly. The connection is then
 * closed, and the hook does nothing.
 */
async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("This is too long.");
    chunks.push(chunk);
  }
  return parseExactJson(Buffer.concat(chunks).toString("utf8"));
}
