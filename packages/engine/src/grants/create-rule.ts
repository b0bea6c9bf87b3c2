import {
  type Caller,
  type CreateRuleBody,
  type Grant,
  inEnglish,
  refusal,
  type RuleDraft,
  saidOf,
  type Saying,
  saying,
} from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { GrantStore } from "../ports/grant-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { SessionsOverview } from "../session/session-log.ts";
import { readCommandPattern, whyNeverAllowed } from "./command-pattern.ts";
import { RULES_HASH } from "./find-rule.ts";
import type { KnownGrants } from "./known-grants.ts";

/** Each command is compared with all rules. */
const MAX_RULES = 200;

export interface CreateRuleParts {
  readonly store: GrantStore;
  readonly knownGrants: KnownGrants;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly overview: SessionsOverview;
  /** How long a rule is valid when the person sets no time. */
  readonly alwaysGrantMs: number;
}

/** Creates a person's rule. Once this has resolved, the rule decides every matching command. */
export async function createRule(
  parts: CreateRuleParts,
  caller: Caller,
  { forMs, ...draft }: CreateRuleBody,
): Promise<Grant> {
  const { store, knownGrants, clock, ids, overview, alwaysGrantMs } = parts;
  const problem = problemOfRule(draft);
  if (problem !== undefined) throw refusal("INVALID_REQUEST", problem);
  const nowMs = clock.now();
  const known = await store.findGrants({ keyHash: RULES_HASH, sessionId: "", nowMs });
  if (known.length >= MAX_RULES) {
    throw refusal("INVALID_REQUEST", saying("rules_full", { most: MAX_RULES }));
  }
  const { verdict, pattern, cwd } = draft;
  const grant: Grant = {
    grantId: ids.next("gnt"),
    scope: "always",
    toolName: "Commands",
    ...textOfRule(draft),
    cwd,
    createdAt: toInstant(nowMs),
    expiresAt: toInstant(nowMs + (forMs ?? alwaysGrantMs)),
    by: toResponder(caller, nowMs),
    rule: { verdict, pattern },
  };
  const row = { grant, keyHash: RULES_HASH };
  knownGrants.willWrite([{ type: "add", row }]);
  await store.addGrant(row);
  overview.grantsChanged();
  return grant;
}

/** Why such a rule cannot be created, or `undefined`. */
export function problemOfRule({ pattern, verdict, cwd }: RuleDraft): readonly Saying[] | undefined {
  const reading = readCommandPattern(pattern);
  if (reading.status === "refused") return reading.problem;
  if (!/^(?:\/|[A-Za-z]:[\\/])/u.test(cwd)) return [saying("rule_not_absolute")];
  return verdict === "allow" ? whyNeverAllowed(reading.pattern) : undefined;
}

const RULE_CODES = { allow: "rule_allow", ask: "rule_ask", deny: "rule_deny" } as const;

/** A rule as one line of text. */
export function textOfRule({ verdict, pattern, cwd }: RuleDraft): Pick<Grant, "said" | "text"> {
  const text = saying(RULE_CODES[verdict], { cwd, pattern });
  return { text: inEnglish(text), ...saidOf({ text }) };
}
