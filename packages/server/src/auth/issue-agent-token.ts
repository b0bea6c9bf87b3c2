import type { AgentToken, Caller } from "@holdpoint/protocol";

import type { ServerContext } from "../server-context.ts";

/** The word for agents that the gateway does not start. */
const EXTERNAL_AGENT = "mcp";

/** A token for an agent that the gateway does not start, with a new session for its interactions. */
export async function issueAgentToken(
  { authenticator, gateway, publicUrl }: ServerContext,
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
