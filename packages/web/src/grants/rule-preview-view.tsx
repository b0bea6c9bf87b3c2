import type { LoggedCommand, RulePreview } from "@holdpoint/protocol";
import { RelativeTime, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

/** What a rule would have decided about in the last 30 days, and what not. */
export function RulePreviewView({ preview }: { readonly preview: RulePreview }): ReactNode {
  const { text, calls, coveredCalls, isPartial, covered, notCovered } = preview;
  return (
    <section className="rule-preview" aria-label="What it covers" aria-live="polite">
      <p className="grant-text">
        <VisibleText text={text} />
      </p>
      <p>
        {`It would have covered ${coveredCalls} of ${calls} command${calls === 1 ? "" : "s"} of the last 30 days`}
        {isPartial && ", as far as they were looked at"}.
      </p>
      <CommandList name="Covered" commands={covered} />
      <CommandList name="Not covered" commands={notCovered} />
    </section>
  );
}

interface CommandListProps {
  readonly name: string;
  readonly commands: readonly LoggedCommand[];
}

function CommandList({ name, commands }: CommandListProps): ReactNode {
  if (commands.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul className="rule-commands">
        {commands.map(({ command, cwd, count, lastAt, why }) => (
          <li key={JSON.stringify([cwd, command])}>
            <code>
              <VisibleText text={command} />
            </code>
            <span className="quiet">
              <VisibleText text={cwd} />
              {count > 1 && `, ${count} times`}, <RelativeTime at={lastAt} />
              {why !== undefined && `: ${why}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
