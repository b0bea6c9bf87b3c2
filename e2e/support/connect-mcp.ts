import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";

/** A client of the protocol's own SDK, as any program would use it. */
export async function connectMcp(
  url: string,
  token: string,
  capabilities: ClientCapabilities = {},
): Promise<{ client: Client } & AsyncDisposable> {
  const client = new Client({ name: "end-to-end", version: "1.0.0" }, { capabilities });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
