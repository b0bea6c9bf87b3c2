import type { LoggedCommand, RulePreview } from "@holdpoint/protocol";
import { RelativeTime, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

/** The calls of the last 30 days that a rule would have covered, and the calls that it would not have. */
export function RulePreviewView({ preview }: { readonly preview: RulePreview }): ReactNode {
  const say = useWords();
  const { text, said, calls, coveredCalls, isPartial, covered, notCovered } = preview;
  return (
    <section className="rule-preview" aria-label={say("Coverage")} aria-live="polite">
      <p className="grant-text">
        <VisibleText text={say.told(text, said?.["text"])} />
      </p>
      <p>
        {say(
          "It would have covered {some} of {count} command in the last 30 days.|It would have covered {some} of {count} commands in the last 30 days.",
          { some: coveredCalls, count: calls },
        )}{" "}
        {isPartial && say("Not all of them were checked.")}
      </p>
      <CommandList name={say("Covered")} commands={covered} />
      <CommandList name={say("Not covered")} commands={notCovered} />
    </section>
  );
}

interface CommandListProps {
  readonly name: string;
  readonly commands: readonly LoggedCommand[];
}

function CommandList({ name, commands }: CommandListProps): ReactNode {
  const say = useWords();
  if (commands.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul className="rule-commands">
        {commands.map(({ command, cwd, count, lastAt, why, said }) => (
          <li key={JSON.stringify([cwd, command])}>
            <code>
              <VisibleText text={command} />
            </code>
            <span className="quiet">
              <VisibleText text={cwd} />
              {count > 1 && say(", {n} times", { n: count })}, <RelativeTime at={lastAt} />
              {why !== undefined && `: ${say.told(why, said?.["why"])}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
