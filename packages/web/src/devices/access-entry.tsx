import { RelativeTime } from "@holdpoint/react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface AccessEntryProps {
  readonly icon: ReactNode;
  /** The name, or a field to rename it. */
  readonly name: ReactNode;
  readonly tag?: string | undefined;
  readonly facts: readonly (readonly [name: string, fact: ReactNode])[];
  readonly actions: ReactNode;
}

/** One device, program or agent: its name, the facts about its access, and a button to end it. */
export function AccessEntry({ icon, name, tag, facts, actions }: AccessEntryProps): ReactNode {
  return (
    <li className="access">
      <span className="access-icon">{icon}</span>
      <div className="access-words">
        <p className="access-name">
          {name}
          {tag !== undefined && <span className="tag">{tag}</span>}
        </p>
        <dl className="access-facts">
          {facts.map(([term, fact]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="access-actions">{actions}</div>
    </li>
  );
}

/** The time of the last use. */
export function LastUse({ at }: { readonly at: string | undefined }): ReactNode {
  const say = useWords();
  return at === undefined ? say("never") : <RelativeTime at={at} />;
}
