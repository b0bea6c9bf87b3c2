import type { AgentToken } from "@holdpoint/protocol";

import { askGateway } from "../control/ask-gateway.ts";
import { UsageError } from "../usage-error.ts";

export interface AgentTokenOptions {
  readonly dataDir: string;
  /** The agent's name. */
  readonly label: string | undefined;
  readonly json: boolean;
}

/**
 * Gets a token with which an agent started by a person can call the running gateway's tools. Resolves with the output.
 */
export async function agentToken({ dataDir, label, json }: AgentTokenOptions): Promise<string> {
  if (label === undefined) {
    throw new UsageError("Name the agent, as in: holdpoint agent-token --label Codex.");
  }
  const issued = await askGateway(dataDir, { command: "agent-token", label });
  return json ? `${JSON.stringify(issued)}\n` : describe(label, issued);
}

function describe(label: string, { url, token }: AgentToken): string {
  const headers = { Authorization: `Bearer ${token}` };
  const servers = { mcpServers: { holdpoint: { type: "http", url, headers } } };
  return [
    "",
    `  URL    ${url}`,
    `  Token  ${token}`,
    "",
    `  The token is shown only now. It lets ${label} call the gateway's tools, and ends with its session.`,
    "",
    "  Claude Code:",
    "",
    `claude mcp add --transport http holdpoint ${url} --header "Authorization: Bearer ${token}"`,
    "",
    "  Codex, in ~/.codex/config.toml:",
    "",
    "[mcp_servers.holdpoint]",
    `url = "${url}"`,
    `http_headers = { Authorization = "Bearer ${token}" }`,
    // A person decides in the gateway: Codex itself refuses such calls when no one is at its terminal.
    'default_tools_approval_mode = "approve"',
    "tool_timeout_sec = 300",
    "",
    "  Clients that are configured in JSON, such as Cursor:",
    "",
    JSON.stringify(servers, undefined, 2),
    "",
    "",
  ].join("\n");
}
