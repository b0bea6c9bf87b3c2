import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./eliciting-server.ts", import.meta.url));

/** Adds an MCP server that asks people to the agent's configuration in this folder; its tool is `mcp__NAME__elicit`. */
export async function addElicitingServer(configDir: string, name = "files"): Promise<void> {
  await mkdir(configDir, { recursive: true });
  const server = { type: "stdio", command: process.execPath, args: [PROGRAM] };
  await writeFile(
    join(configDir, ".claude.json"),
    JSON.stringify({ mcpServers: { [name]: server } }),
  );
}
