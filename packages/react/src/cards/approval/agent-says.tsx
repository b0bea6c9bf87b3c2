import type { Approval } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface AgentSaysProps {
  readonly approval: Approval;
  /** The requester is a program, not an agent. */
  readonly isProgram: boolean;
}

/** The agent's own words, kept apart from the facts: they may be wrong, or written to persuade. */
export function AgentSays({ approval, isProgram }: AgentSaysProps): ReactNode {
  const say = useWords();
  const { display, input } = approval;
  const described = typeof input["command"] === "string" ? input["description"] : undefined;
  const said = new Set([described, display.description].filter(isSaid));
  const reason = isSaid(display.reason) ? display.reason : undefined;
  if (said.size === 0 && reason === undefined) return null;
  return (
    <div className="hp-says">
      <p className="hp-says-who">{say(isProgram ? "The program says" : "The agent says")}</p>
      {[...said].map((text) => (
        <p key={text} className="hp-says-text">
          <VisibleText text={text} />
        </p>
      ))}
      {reason !== undefined && (
        <p className="hp-says-text">
          <span className="hp-says-who">{say("Reason for asking:")} </span>
          <VisibleText text={say.translate(reason)} />
        </p>
      )}
    </div>
  );
}

function isSaid(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "";
}
