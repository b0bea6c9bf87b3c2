import type { AgentToken, Caller, GatewayApi } from "@holdpoint/protocol";

import type { Authenticator } from "./authenticator.ts";

/** The word for agents that the gateway does not start. */
const EXTERNAL_AGENT = "mcp";

interface IssueAgentTokenParts {
  readonly authenticator: Authenticator;
  readonly gateway: Pick<GatewayApi, "createSession">;
  /** Where people reach the gateway, if not at its own address. */
  readonly publicUrl: string | undefined;
}

/** A token for an agent that the gateway does not start, with a new session for its interactions. */
export async function issueAgentToken(
  { authenticator, gateway, publicUrl }: IssueAgentTokenParts,
  caller: Caller,
  { label, url }: { readonly label: string; readonly url: string },
): Promise<AgentToken> {
  const { sessionId } = await gateway.createSession(caller, {
    agent: EXTERNAL_AGENT,
    title: label,
  });
  const { person } = caller;
  const issued = await authenticator.issueAgentToken({ label, person, sessionId });
  return { ...issued, sessionId, url: new URL("/mcp", publicUrl ?? url).href };
}
