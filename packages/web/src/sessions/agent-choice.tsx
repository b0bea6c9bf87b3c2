import type { AgentInfo } from "@holdpoint/protocol";
import { VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { toAgentName, toUnavailable } from "./agent-name.ts";

/** One agent to choose. If it cannot be started, the reason is shown. */
export function AgentChoice({
  agent,
  checked,
  onChoose,
}: {
  readonly agent: AgentInfo;
  readonly checked: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const say = useWords();
  return (
    <label className="agent" data-unavailable={!agent.available || undefined}>
      <input
        type="radio"
        name="agent"
        value={agent.agent}
        checked={checked}
        disabled={!agent.available}
        onChange={onChoose}
      />
      <span className="agent-words">
        <span className="agent-name">
          <VisibleText text={toAgentName(agent, say)} />
        </span>
        {!agent.available && agent.unavailableReason !== undefined && (
          <span className="agent-why">
            <VisibleText text={toUnavailable(agent, say)} />
          </span>
        )}
      </span>
    </label>
  );
}
