import { z } from "zod";

import { defineRoute, type Route } from "../http/route.ts";
import { answerMcp } from "../mcp/answer-mcp.ts";
import type { ServerContext } from "../server-context.ts";

const MAX_BODY_BYTES = 1024 * 1024;

const message = z.unknown().describe("Messages of the Model Context Protocol (JSON-RPC 2.0)");
const messages = { "application/json": message, "text/event-stream": message };

/** The gateway's tools for MCP clients, over the Streamable HTTP transport. */
export function mcpRoutes({ mcp }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/mcp",
      operationId: "sendMcpMessage",
      summary: "Send messages of the Model Context Protocol",
      access: "agent",
      body: message,
      maxBodyBytes: MAX_BODY_BYTES,
      answers: {
        200: { description: "The answers.", content: messages },
        202: { description: "There is nothing to answer." },
        400: { description: "Not a message of the protocol.", content: messages },
        404: { description: "The MCP session has ended: initialize another.", content: messages },
        406: { description: "The client takes no event streams.", content: messages },
      },
      handle: (request) => answerMcp(mcp, request),
    }),
    defineRoute({
      method: "GET",
      path: "/mcp",
      operationId: "followMcpSession",
      summary: "Messages of the gateway that answer no request",
      access: "agent",
      answers: {
        200: { description: "A stream of them.", content: { "text/event-stream": message } },
        400: { description: "No MCP session is named.", content: messages },
        404: { description: "The MCP session has ended: initialize another.", content: messages },
        406: { description: "The client takes no event streams.", content: messages },
        409: { description: "The session has such a stream already.", content: messages },
      },
      handle: (request) => answerMcp(mcp, { ...request, body: undefined }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/mcp",
      operationId: "endMcpSession",
      summary: "End an MCP session",
      access: "agent",
      answers: {
        200: { description: "It has ended." },
        400: { description: "No MCP session is named.", content: messages },
        404: { description: "The MCP session has ended.", content: messages },
      },
      handle: (request) => answerMcp(mcp, { ...request, body: undefined }),
    }),
  ];
}
