import { MessageCircleQuestionMark, TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/use-words.ts";

export interface UnknownDeliveryProps {
  /** Absent: this client is read-only. */
  readonly onAskToCheck: (() => Promise<void>) | undefined;
}

const ASK_WORDS = {
  ready: "Ask the agent to check",
  asking: "Asking…",
  failed: "Not sent. Ask again",
} as const;

/** Explains that the delivery of an answer could not be confirmed, and lets the person ask the agent to check. */
export function UnknownDelivery({ onAskToCheck }: UnknownDeliveryProps): ReactNode {
  const say = useWords();
  const [state, setState] = useState<keyof typeof ASK_WORDS | "asked">("ready");
  const ask = (): void => {
    if (onAskToCheck === undefined || state === "asking") return;
    setState("asking");
    onAskToCheck().then(
      () => setState("asked"),
      () => setState("failed"),
    );
  };
  return (
    <div className="hp-card-notice hp-card-notice-waiting hp-unknown" role="note">
      <TriangleAlert aria-hidden />
      <p>
        <strong>{say("Check whether it ran.")}</strong>{" "}
        {say("The gateway or the agent was killed during delivery.")}{" "}
        {state === "asked" && say("The agent was asked to check.")}
      </p>
      {onAskToCheck !== undefined && state !== "asked" && (
        <Button
          icon={<MessageCircleQuestionMark aria-hidden />}
          blocked={state === "asking"}
          onClick={ask}
        >
          {say(ASK_WORDS[state])}
        </Button>
      )}
    </div>
  );
}
