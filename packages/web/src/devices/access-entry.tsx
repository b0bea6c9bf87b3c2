import { RelativeTime } from "@holdpoint/react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface AccessEntryProps {
  readonly icon: ReactNode;
  /** The name, or a field for another one. */
  readonly name: ReactNode;
  readonly tag?: string | undefined;
  readonly facts: readonly (readonly [name: string, fact: ReactNode])[];
  readonly actions: ReactNode;
}

/** One device, program or agent: what it is called, since when it has access, and how to end that. */
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

/** When something was used last. */
export function LastUse({ at }: { readonly at: string | undefined }): ReactNode {
  const say = useWords();
  return at === undefined ? say("not yet") : <RelativeTime at={at} />;
}
