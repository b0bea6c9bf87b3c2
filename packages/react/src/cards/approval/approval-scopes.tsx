import type { Approval, ApprovalScope, GrantLimit, Saying } from "@holdpoint/protocol";
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { SCOPE_BUTTON_WORDS } from "../shared/answer-words.ts";
import { useArming } from "../shared/use-arming.ts";
import type { AllowGate } from "./approval-gate.ts";
import { ScopeText } from "./scope-text.tsx";
import { toWiderScopes, type WiderScope } from "./wider-scopes.ts";

interface ApprovalScopesProps {
  readonly approval: Approval;
  readonly gate: AllowGate;
  readonly onAllow: (scope: ApprovalScope, limit?: GrantLimit) => void;
  /** Set if the person opened the scopes, which then take the focus; absent if they are always open. */
  readonly onShown?: (() => void) | undefined;
}

interface Limit {
  readonly words: Words;
  readonly limit?: GrantLimit;
}

const NO_LIMIT: Limit = { words: "no limit" };

/** The time limits that a person can choose for an approval. */
const LIMITS: readonly Limit[] = [
  NO_LIMIT,
  { words: "for one hour", limit: { forMs: 3_600_000 } },
  { words: "for the next call", limit: { uses: 1 } },
  { words: "for the next 5 calls", limit: { uses: 5 } },
];

/** The wider scopes on offer, each with the exact text of its coverage. */
export function ApprovalScopes(props: ApprovalScopesProps): ReactNode {
  const { approval, gate, onAllow, onShown } = props;
  const say = useWords();
  const [limit, setLimit] = useState(NO_LIMIT);
  const scopes = useRef<HTMLFieldSetElement>(null);
  const shown = useRef(onShown);
  useEffect(() => {
    shown.current = onShown;
  });
  useLayoutEffect(() => {
    if (shown.current === undefined) return;
    shown.current();
    scopes.current?.querySelector<HTMLElement>(".hp-button")?.focus({ preventScroll: true });
  }, []);
  return (
    <fieldset ref={scopes} className="hp-scopes" aria-label={say("Allow for longer")}>
      {toWiderScopes(approval).map(({ scope, text }) => (
        <Scope
          key={scope}
          scope={{ scope, text }}
          said={approval.said?.[scope]}
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
  readonly scope: WiderScope;
  readonly said: readonly Saying[] | undefined;
  readonly gate: AllowGate;
  readonly onAllow: () => void;
}

function Scope({ scope: { scope, text }, said, gate, onAllow }: ScopeProps): ReactNode {
  const say = useWords();
  const textId = useId();
  // A long text must be seen in full for this scope only.
  const [unshown, onUnshown] = useUnshownParts();
  const isShown = unshown === undefined;
  const isArmed = useArming(JSON.stringify([text, isShown]));
  const canAllow = gate.open && isShown;
  return (
    <div className="hp-scope">
      <UnshownContext value={onUnshown}>
        <ScopeText id={textId} text={text} said={said} />
      </UnshownContext>
      <Button
        blocked={!canAllow || !isArmed}
        data-arming={(canAllow && !isArmed) || undefined}
        aria-describedby={textId}
        onClick={onAllow}
        onBlocked={(unshown ?? gate).moves?.show}
      >
        {say(SCOPE_BUTTON_WORDS[scope])}
      </Button>
    </div>
  );
}
