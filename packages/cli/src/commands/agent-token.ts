import type { AgentToken } from "@holdpoint/protocol";

import type { Settings } from "../config/settings.ts";
import { askGateway } from "../control/ask-gateway.ts";
import { missing } from "../usage.ts";

/**
 * Gets a token with which an agent started by a person can call the running gateway's tools. Resolves with the output.
 */
export async function agentToken({
  dataDir,
  label,
  json,
}: Pick<Settings, "dataDir" | "json" | "label">): Promise<string> {
  if (label === undefined) throw missing("--label", "agent-token");
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
