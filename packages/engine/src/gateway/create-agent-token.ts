import {
  type Caller,
  CREDENTIAL_LIMITS,
  type CreatedAgentToken,
  personKeyOf,
  ProtocolError,
} from "@holdpoint/protocol";

import { assertAgentLabel } from "../credentials/agent-label.ts";
import { holderOf, isOf } from "../credentials/manage-credentials.ts";
import { createSession } from "../session/sessions.ts";
import type { Core } from "./core.ts";

/** The name of agents that the gateway does not start. */
const EXTERNAL_AGENT = "mcp";
const RETRY_AFTER_MS = 60_000;

/** Creates a token for an agent that is started elsewhere, with a new session for its interactions. */
export async function createAgentToken(
  core: Core,
  caller: Caller,
  label: string,
): Promise<CreatedAgentToken> {
  assertAgentLabel(label, caller.person);
  await assertRoom(core, caller);
  const body = { agent: EXTERNAL_AGENT, title: label };
  const { personId: startedBy } = caller;
  const { sessionId } = await createSession(core, body, {
    createdBy: `agents of ${personKeyOf(caller)}`,
    ...(startedBy !== undefined && { startedBy }),
  });
  const wanted = { kind: "agent", ...(await holderOf(core, caller)), label, sessionId } as const;
  const { token, credential } = await core.credentials.issue(wanted);
  return { token, tokenId: credential.tokenId, sessionId };
}

async function assertRoom({ credentials }: Core, caller: Caller): Promise<void> {
  const { agentTokensPerPerson: most } = CREDENTIAL_LIMITS;
  const listed = await credentials.list();
  const own = listed.filter(
    (credential) => credential.kind === "agent" && isOf(caller, credential),
  );
  if (own.length < most) return;
  const detail = `At most ${most} agents have tokens at a time. Revoke unused ones.`;
  throw new ProtocolError("RATE_LIMITED", detail, { retryAfterMs: RETRY_AFTER_MS });
}
