import type { Credentials } from "@holdpoint/engine";

import type { StreamRegistry } from "../streams/stream-registry.ts";

interface EndRevokedParts {
  readonly gateway: { readonly credentials: Credentials };
  readonly streams: StreamRegistry;
  readonly mcp: { revoke(tokenId: string): Promise<void> };
}

/** Ends the streams and the MCP sessions of each revoked credential, until disposed. */
export function endRevoked({ gateway, streams, mcp }: EndRevokedParts): Disposable {
  return gateway.credentials.onRevoked(async (tokenId) => {
    streams.revoke(tokenId);
    await mcp.revoke(tokenId);
  });
}
