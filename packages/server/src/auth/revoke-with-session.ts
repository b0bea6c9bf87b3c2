import type { ServerContext } from "../server-context.ts";

/** Lets no token outlive the session that it belongs to, whichever way that is deleted, until it is disposed. */
export function revokeWithSession({
  gateway,
  credentials,
  mcp,
}: Pick<ServerContext, "gateway" | "credentials" | "mcp">): Disposable {
  return gateway.beforeDeletion(async (sessionId) => {
    const tokens = await credentials.list();
    for (const { tokenId } of tokens.filter((token) => token.sessionId === sessionId)) {
      await credentials.revoke(tokenId);
      await mcp.revoke(tokenId);
    }
  });
}
