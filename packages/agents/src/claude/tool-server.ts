import type { McpServerConfig } from "@anthropic-ai/claude-agent-sdk";

import type { ToolEndpoint } from "../host/host-protocol.ts";

/** An MCP server with the gateway's tools, and the token with which one agent may call them. */
export interface ToolServer extends ToolEndpoint, AsyncDisposable {}

const SERVER_NAME = "holdpoint";

/** A rule that lets every gateway tool run without a permission prompt: tools that need one ask a person themselves. */
export const ALLOW_GATEWAY_TOOLS = `mcp__${SERVER_NAME}`;

export function isGatewayTool(toolName: string): boolean {
  return toolName.startsWith(`${ALLOW_GATEWAY_TOOLS}__`);
}

/** The MCP server configuration for the agent's runtime. */
export function toMcpServers({ url, token }: ToolEndpoint): Record<string, McpServerConfig> {
  return {
    [SERVER_NAME]: {
      type: "http",
      url,
      headers: { Authorization: `Bearer ${token}` },
      // Without it, the model must search for the tools first.
      alwaysLoad: true,
    },
  };
}
