import type { IncomingMessage } from "node:http";

import { createParser } from "eventsource-parser";

import type { ToolEndpoint } from "./host-protocol.ts";

// An `import` of this module would load all of its exports, which take 12 MB.
const { request } = process.getBuiltinModule("node:http");

export interface RelayedRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A gateway's answer to one MCP request. */
export interface RelayedResponse {
  readonly status: number;
  readonly sessionId: string | undefined;
  /** The messages of the answer as they arrive. Throws if the connection is lost before the end. */
  readonly messages: AsyncIterable<string>;
}

/** Sends one request to the gateway. Rejects if the gateway is unreachable, or gone before it answers. */
export async function send(
  { url, token }: ToolEndpoint,
  { method, headers, body, signal }: RelayedRequest,
): Promise<RelayedResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal,
    });
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.end(body);
  });
  const sessionId = response.headers["mcp-session-id"];
  return {
    status: response.statusCode ?? 500,
    sessionId: typeof sessionId === "string" ? sessionId : undefined,
    messages: readMessages(response),
  };
}

export async function readAll(messages: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

async function* readMessages(response: IncomingMessage): AsyncGenerator<string> {
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream") ?? false;
  let messages: string[] = [];
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "") messages.push(data);
    },
  });
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response as AsyncIterable<string>) {
    if (isStream) {
      messages = [];
      parser.feed(chunk);
      yield* messages;
    } else text += chunk;
  }
  if (!response.complete) {
    throw new Error("The connection to the gateway was lost in the middle of its answer.");
  }
  if (text.trim() !== "") yield text;
}
