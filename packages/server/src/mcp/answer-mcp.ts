import { ProtocolError } from "@holdpoint/protocol";
import type { Context } from "hono";

import type { Credential } from "../auth/credential.ts";
import { goneSignal } from "../http/gone-signal.ts";
import type { ServerEnv } from "../http/server-env.ts";
import type { AgentCredential, McpSessions } from "./mcp-sessions.ts";

const SESSION_HEADER = "mcp-session-id";
/** The methods that may wait for a person. */
const WAITING: ReadonlySet<unknown> = new Set(["tasks/result", "tools/call"]);

/**
 * Answers a request of the Streamable HTTP transport. A client's mistakes get JSON-RPC errors, which MCP clients
 * understand better than problem documents.
 */
export async function answerMcp(
  sessions: McpSessions,
  { c, credential, body }: { c: Context<ServerEnv>; credential: Credential; body: unknown },
): Promise<Response> {
  const { sessionId, tokenId, isOwnAgent = false } = credential;
  if (sessionId === undefined) {
    throw new ProtocolError("FORBIDDEN", "This token belongs to no session.");
  }
  sessions.assertValid(credential);
  countCalls(sessions, { c, credential, body });
  const id = c.req.header(SESSION_HEADER);
  const agent = { tokenId, sessionId, isOwnAgent };
  const answered = await answerStateless(sessions, { c, agent, body });
  if (answered) return answered;
  if (id === undefined && !isInitialize(body)) {
    return refuse(400, -32000, "Bad Request: the first request must be `initialize`.");
  }
  const session = id === undefined ? await sessions.open(agent) : sessions.find(id, credential);
  // Makes the client initialise again, which it does without a person.
  if (!session) return refuse(404, -32001, "Session not found");
  const response = await session.handle(c.req.raw, body, goneSignal(c));
  keptNowhere(response);
  // The first request was refused, so the session is discarded.
  if (id === undefined && !response.ok) await session.close();
  return response;
}

/**
 * Answers a request of protocol version 2026-07-28; `undefined` for one of an earlier version. It is not offered to
 * agents that the gateway started: their calls may wait indefinitely.
 */
async function answerStateless(
  sessions: McpSessions,
  request: {
    readonly c: Context<ServerEnv>;
    readonly agent: AgentCredential;
    readonly body: unknown;
  },
): Promise<Response | undefined> {
  const { c, agent, body } = request;
  const hasSession = c.req.header(SESSION_HEADER) !== undefined;
  if (hasSession || agent.isOwnAgent || body === undefined) return undefined;
  const stateless = await sessions.stateless();
  if (!(await stateless.takes(c.req.raw, body))) return undefined;
  // Checked again: from here on, a revocation ends the request.
  sessions.assertValid(agent);
  const caller = { ...agent, gone: goneSignal(c), afterSent: afterSent(c) };
  return keptNowhere(await stateless.handle(c.req.raw, body, caller));
}

function keptNowhere(response: Response): Response {
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Returns a function that runs its callback once the client has received the whole answer. */
function afterSent({ env: { outgoing } }: Context<ServerEnv>): (run: () => void) => void {
  return (run) => {
    outgoing.once("close", () => {
      if (outgoing.writableFinished) run();
    });
  };
}

/** Counts the waiting calls of a request until its answer ends. Throws `RATE_LIMITED` when there are too many. */
function countCalls(
  { running }: McpSessions,
  { c, credential, body }: { c: Context<ServerEnv>; credential: Credential; body: unknown },
): void {
  const calls = [body].flat().filter((message) => WAITING.has(methodOf(message))).length;
  const { outgoing } = c.env;
  if (calls === 0 || outgoing.destroyed) return;
  const counted = running.start(credential, calls);
  outgoing.once("close", () => counted[Symbol.dispose]());
}

function isInitialize(body: unknown): boolean {
  return methodOf(body) === "initialize";
}

function methodOf(message: unknown): unknown {
  const isObject = typeof message === "object" && message !== null;
  return isObject && "method" in message ? message.method : undefined;
}

function refuse(status: 400 | 404, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
