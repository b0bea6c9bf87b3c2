import type { ApprovalScope } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { AssumedGrants, StoredGrant } from "../ports/grant-store.ts";
import { decidingRule } from "./command-rules.ts";
import type { FindGrantParts } from "./find-grant.ts";

/** The hash under which all rules are found. No agent's key has this hash. */
export const RULES_HASH = hashOf({ rules: "commands" });

export interface FindRuleParts extends FindGrantParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
}

/** A tool call that a rule may decide. */
export interface RuledCall {
  readonly sessionId: string;
  readonly agent: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly scopes: readonly ApprovalScope[];
}

/** The rules that apply to a call. */
export interface RuleFinding {
  /** The deciding rule. */
  readonly rule?: StoredGrant | undefined;
  /** To be written together with the answer to the call, so that a rule added in the meantime still decides. */
  readonly guards: readonly AssumedGrants[];
}

/** The rule that decides a call. A rule that allows applies only to a call that offers a lasting scope. */
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

/** The shell command of a call; `undefined` for a tool that runs no commands. */
export function commandOf(
  agents: ReadonlyMap<string, AgentAdapter>,
  { agent, toolName, input }: Pick<RuledCall, "agent" | "input" | "toolName">,
): string | undefined {
  const fields = agents.get(agent)?.commandFields;
  if (fields === undefined || !Object.hasOwn(fields, toolName)) return undefined;
  const command = input[fields[toolName] ?? ""];
  return typeof command === "string" ? command : undefined;
}
