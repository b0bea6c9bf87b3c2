import {
  type AgentToken,
  type Caller,
  CREDENTIAL_LIMITS,
  type GatewayApi,
  ProtocolError,
} from "@holdpoint/protocol";

import type { Authenticator } from "./authenticator.ts";

/** The word for agents that the gateway does not start. */
const EXTERNAL_AGENT = "mcp";

interface IssueAgentTokenParts {
  readonly authenticator: Authenticator;
  readonly gateway: Pick<GatewayApi, "createSession" | "listAgentTokens">;
  /** Where people reach the gateway, if not at its own address. */
  readonly publicUrl: string | undefined;
}

/** A token for an agent that the gateway does not start, with a new session for its interactions. */
export async function issueAgentToken(
  { authenticator, gateway, publicUrl }: IssueAgentTokenParts,
  caller: Caller,
  { label, url }: { readonly label: string; readonly url: string },
): Promise<AgentToken> {
  await assertMayIssue(gateway, caller);
  const { sessionId } = await gateway.createSession(caller, {
    agent: EXTERNAL_AGENT,
    title: label,
  });
  const { person } = caller;
  const issued = await authenticator.issueAgentToken({ label, person, sessionId });
  return { ...issued, sessionId, url: new URL("/mcp", publicUrl ?? url).href };
}

async function assertMayIssue(
  gateway: Pick<GatewayApi, "listAgentTokens">,
  caller: Caller,
): Promise<void> {
  const { agentTokensPerPerson: most } = CREDENTIAL_LIMITS;
  const { items } = await gateway.listAgentTokens(caller);
  if (items.length < most) return;
  const detail = `At most ${most} agents have tokens at a time. Revoke those that are not used any more.`;
  throw new ProtocolError("RATE_LIMITED", detail, { retryAfterMs: 60_000 });
}
