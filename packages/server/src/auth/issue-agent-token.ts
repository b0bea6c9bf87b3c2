import { type AgentToken, type Caller, type GatewayApi, urlAt } from "@holdpoint/protocol";

interface IssueAgentTokenParts {
  readonly gateway: Pick<GatewayApi, "createAgentToken">;
  /** Where people reach the gateway, if not at its own address. */
  readonly publicUrl: string | undefined;
}

/** Creates a token for an agent that the gateway does not start, with the URL of the gateway's tools. */
export async function issueAgentToken(
  { gateway, publicUrl }: IssueAgentTokenParts,
  caller: Caller,
  { label, url }: { readonly label: string; readonly url: string },
): Promise<AgentToken> {
  const created = await gateway.createAgentToken(caller, { label });
  return { ...created, url: urlAt(publicUrl ?? new URL(url).origin, "/mcp") };
}
