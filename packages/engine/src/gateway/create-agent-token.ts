import type { Caller, CreatedAgentToken } from "@holdpoint/protocol";

import { assertAgentLabel } from "../credentials/agent-label.ts";
import { createSession } from "../session/sessions.ts";
import type { Core } from "./core.ts";

/** The word for agents that the gateway does not start. */
const EXTERNAL_AGENT = "mcp";

/** A token for an agent that somebody else starts, with a new session for its interactions. */
export async function createAgentToken(
  core: Core,
  { person }: Caller,
  label: string,
): Promise<CreatedAgentToken> {
  assertAgentLabel(label, person);
  const { sessionId } = await createSession(core, { agent: EXTERNAL_AGENT, title: label });
  const wanted = { kind: "agent", person, label, sessionId } as const;
  const { token, credential } = await core.credentials.issue(wanted);
  return { token, tokenId: credential.tokenId, sessionId };
}
