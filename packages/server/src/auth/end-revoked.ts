import type { ServerContext } from "../server-context.ts";

/** Ends the streams and the MCP sessions of every credential that is revoked, until it is disposed. */
export function endRevoked({
  gateway,
  streams,
  mcp,
}: Pick<ServerContext, "gateway" | "mcp" | "streams">): Disposable {
  return gateway.credentials.onRevoked(async (tokenId) => {
    streams.revoke(tokenId);
    await mcp.revoke(tokenId);
  });
}
