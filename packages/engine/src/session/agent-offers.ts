import { refusal, saying } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { AgentAdapter, AgentOffers } from "../ports/agent-adapter.ts";
import type { Store } from "../ports/store.ts";
import { assertAllowedCwd, type AllowedCwdParts } from "./allowed-cwd.ts";

export interface AgentOffersParts {
  readonly store: Store;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly onError: (error: unknown, where: string) => void;
}

const NOTHING: AgentOffers = { models: [], commands: [] };

/** The models and commands that a session's agent offers; none for an adapter without offers. */
export async function readAgentOffers(
  parts: AgentOffersParts,
  sessionId: string,
): Promise<AgentOffers> {
  const stored = await parts.store.getSession(sessionId);
  if (!stored) throw notFound("session");
  const { agent, cwd } = stored;
  return ask(parts, parts.agents.get(agent), { sessionId, cwd });
}

/** The models and commands that an agent would offer in a directory. Default: the gateway's own directory. */
export async function readFolderOffers(
  parts: AgentOffersParts & AllowedCwdParts,
  agent: string,
  { cwd = parts.defaultCwd }: { readonly cwd?: string | undefined },
): Promise<AgentOffers> {
  const adapter = parts.agents.get(agent);
  if (!adapter) throw notFound("agent");
  await assertAllowedCwd(parts, cwd);
  return ask(parts, adapter, { cwd });
}

async function ask(
  { onError }: AgentOffersParts,
  adapter: AgentAdapter | undefined,
  place: { readonly sessionId?: string; readonly cwd: string },
): Promise<AgentOffers> {
  try {
    return (await adapter?.offers?.(place)) ?? NOTHING;
  } catch (error: unknown) {
    onError(error, "offers of an agent");
    throw refusal("AGENT_UNAVAILABLE", saying("agent_silent"));
  }
}
