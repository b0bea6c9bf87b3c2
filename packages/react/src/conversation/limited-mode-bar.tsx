import type { SessionView } from "@holdpoint/client";
import { ShieldAlert } from "lucide-react";
import { useState, type ReactNode } from "react";

import { toCallTroubleWords } from "../hooks/trouble-words.ts";
import { useRemainingTime } from "../hooks/use-remaining-time.ts";
import { useTransport } from "../hooks/use-transport.ts";
import { Button } from "../parts/button.tsx";
import { useWords } from "../words/use-words.ts";

interface LimitedModeBarProps {
  readonly sessionId: string;
  readonly limitedMode: NonNullable<SessionView["limitedMode"]>;
}

/** Shows that the agent does everything without asking, and for how long. Offers to end that. */
export function LimitedModeBar({ sessionId, limitedMode }: LimitedModeBarProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const left = useRemainingTime(limitedMode.endsAt);
  const [ending, setEnding] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  const end = async (): Promise<void> => {
    setEnding(true);
    setTrouble(undefined);
    try {
      await transport.updateSession(sessionId, { endPermissionMode: limitedMode.mode });
    } catch (error: unknown) {
      setTrouble(toCallTroubleWords(error, say.language).title);
    } finally {
      setEnding(false);
    }
  };
  return (
    <div className="hp-limited">
      <ShieldAlert aria-hidden />
      <p>
        <strong>{say("Runs everything without asking")}</strong>{" "}
        <span className="hp-nowrap" role="timer" aria-live="off">
          {left}
        </span>
        {trouble !== undefined && (
          <span role="alert"> {say("Not ended: {trouble}.", { trouble })}</span>
        )}
      </p>
      <Button tone="danger" blocked={ending} onClick={() => void end()}>
        {say(ending ? "Ending…" : "End now")}
      </Button>
    </div>
  );
}
