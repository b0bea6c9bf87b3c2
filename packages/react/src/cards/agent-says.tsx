import type { Approval } from "@holdpoint/protocol";

import { VisibleText } from "../parts/visible-text.tsx";

/** The agent's own words, set apart from the facts: they may be wrong, or written to persuade. */
export function AgentSays({ approval }: { approval: Approval }) {
  const { display, input } = approval;
  const described = typeof input["command"] === "string" ? input["description"] : undefined;
  const said = new Set(
    [described, display.description, display.reason].filter(
      (text) => typeof text === "string" && text.trim() !== "",
    ),
  );
  if (said.size === 0) return null;
  return (
    <div className="hp-says">
      <p className="hp-says-who">The agent says</p>
      {[...said].map((text) => (
        <p key={String(text)} className="hp-says-text">
          <VisibleText text={String(text)} />
        </p>
      ))}
    </div>
  );
}
