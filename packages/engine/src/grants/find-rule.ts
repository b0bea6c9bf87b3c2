import type { ApprovalScope } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { AssumedGrants, StoredGrant } from "../ports/grant-store.ts";
import { decidingRule } from "./command-rules.ts";
import type { FindGrantParts } from "./find-grant.ts";

/** All rules are found by this. It is the hash of no agent's key. */
export const RULES_HASH = hashOf({ rules: "commands" });

export interface FindRuleParts extends FindGrantParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
}

/** A tool call that a rule may decide about. */
export interface RuledCall {
  readonly sessionId: string;
  readonly agent: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly scopes: readonly ApprovalScope[];
}

/** What rules say about a call. */
export interface RuleFinding {
  /** The one that decides. */
  readonly rule?: StoredGrant | undefined;
  /** To be written with whatever answers the call: a rule that is made in between decides all the same. */
  readonly guards: readonly AssumedGrants[];
}

/** The rule that decides about a call now. One that allows decides only where the call may be remembered at all. */
export async function findRule(
  { store, knownGrants, clock, agents }: FindRuleParts,
  call: RuledCall,
): Promise<RuleFinding> {
  const text = commandOf(agents, call);
  if (text === undefined) return { guards: [] };
  const nowMs = clock.now();
  const { sessionId, cwd, scopes } = call;
  const rows = knownGrants.mayHave(RULES_HASH)
    ? await store.findGrants({ keyHash: RULES_HASH, sessionId, nowMs })
    : [];
  const grantIds = rows.map(({ grant }) => grant.grantId);
  const guards = [{ type: "assume" as const, keyHash: RULES_HASH, nowMs, grantIds }];
  const isLasting = scopes.some((scope) => scope !== "once");
  const rules = rows.flatMap((row) => {
    const { rule, cwd: ruleCwd } = row.grant;
    return rule && (isLasting || rule.verdict !== "allow") ? [{ rule, cwd: ruleCwd, row }] : [];
  });
  return { rule: decidingRule(rules, { text, cwd })?.row, guards };
}

/** The shell command of a call; `undefined` for a tool that runs none. */
export function commandOf(
  agents: ReadonlyMap<string, AgentAdapter>,
  { agent, toolName, input }: Pick<RuledCall, "agent" | "input" | "toolName">,
): string | undefined {
  const fields = agents.get(agent)?.commandFields;
  if (fields === undefined || !Object.hasOwn(fields, toolName)) return undefined;
  const command = input[fields[toolName] ?? ""];
  return typeof command === "string" ? command : undefined;
}
