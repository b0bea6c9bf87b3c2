import type { Approval, ApprovalScope, GrantLimit } from "@holdpoint/protocol";
import { useId, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { SCOPE_BUTTON_WORDS } from "../shared/card-words.ts";
import type { AllowGate } from "./approval-gate.ts";

interface ApprovalScopesProps {
  readonly approval: Approval;
  readonly gate: AllowGate;
  readonly onAllow: (scope: ApprovalScope, limit?: GrantLimit) => void;
}

interface Limit {
  readonly words: Words;
  readonly limit?: GrantLimit;
}

const NO_LIMIT: Limit = { words: "no limit" };

/** What a person may limit an approval to. */
const LIMITS: readonly Limit[] = [
  NO_LIMIT,
  { words: "for one hour", limit: { forMs: 3_600_000 } },
  { words: "for the next call", limit: { uses: 1 } },
  { words: "for the next 5 calls", limit: { uses: 5 } },
];

const SCOPE_NAMES = { session: "This session", always: "From now on" } as const;

/** The wider scopes on offer, each with the exact text of what it covers. One that says nothing is not offered. */
export function ApprovalScopes({ approval, gate, onAllow }: ApprovalScopesProps): ReactNode {
  const say = useWords();
  const wider = (["session", "always"] as const).flatMap((scope) => {
    const text = approval.scopeText[scope];
    return text !== undefined && approval.scopes.includes(scope) ? [{ scope, text }] : [];
  });
  const [limit, setLimit] = useState(NO_LIMIT);
  if (wider.length === 0) return null;
  return (
    <fieldset className="hp-scopes" aria-label={say("Allow for longer")}>
      {wider.map(({ scope, text }) => (
        <Scope
          key={scope}
          scope={scope}
          text={text}
          gate={gate}
          onAllow={() => onAllow(scope, limit.limit)}
        />
      ))}
      {approval.canLimit && (
        <label className="hp-scope hp-scope-text">
          {say("Limit")}
          <select
            value={limit.words}
            onChange={({ target }) => {
              setLimit(LIMITS.find(({ words }) => words === target.value) ?? NO_LIMIT);
            }}
          >
            {LIMITS.map(({ words }) => (
              <option key={words} value={words}>
                {say(words)}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

interface ScopeProps {
  readonly scope: "session" | "always";
  readonly text: string;
  readonly gate: AllowGate;
  readonly onAllow: () => void;
}

function Scope({ scope, text, gate, onAllow }: ScopeProps): ReactNode {
  const say = useWords();
  const textId = useId();
  // Of a long text the rest has to be seen for this scope alone.
  const [unshown, onUnshown] = useUnshownParts();
  const isBlocked = !gate.open || unshown !== undefined;
  return (
    <div className="hp-scope">
      <p className="hp-scope-words" id={textId}>
        <span className="hp-scope-name">{say(SCOPE_NAMES[scope])}</span>
        <span className="hp-scope-text">
          <UnshownContext value={onUnshown}>
            <VisibleText text={text} exact />
          </UnshownContext>
        </span>
      </p>
      <Button blocked={isBlocked} aria-describedby={textId} onClick={onAllow}>
        {say(SCOPE_BUTTON_WORDS[scope])}
      </Button>
    </div>
  );
}
