import { Undo2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { useNow, useUiClock } from "../../parts/ui-clock.tsx";
import { isTypingTarget } from "../shared/keyboard.ts";

export interface UndoOfferProps {
  /** When the response was given, by the gateway's clock. */
  readonly answeredAt: string;
  /** When the agent gets it, by the gateway's clock. */
  readonly undoUntil: string;
  /** What is taken back, where it does not stand above. */
  readonly what?: string;
  /** Takes the response back; rejects when the agent has it. */
  readonly onUndo: () => Promise<unknown>;
}

type Step = "offered" | "undoing" | "late";

/** For a moment after an answer: how long the agent does not have it yet, and the way to take it back. `Z` does the same. */
export function UndoOffer(props: UndoOfferProps): ReactNode {
  const { what, onUndo } = props;
  const [step, setStep] = useState<Step>("offered");
  const secondsLeft = useSecondsLeft(props);
  const undo = (): void => {
    if (step !== "offered" || secondsLeft <= 0) return;
    setStep("undoing");
    onUndo().catch(() => setStep("late"));
  };
  useUndoKey(undo);
  if (step === "offered" && secondsLeft <= 0) return null;
  return (
    <div className="hp-card-notice hp-undo" role="note">
      <p>
        {what !== undefined && <strong>{what} </strong>}
        {step === "late"
          ? "Too late to undo: the agent has the answer."
          : `The agent gets it in ${Math.max(secondsLeft, 1)} s.`}
      </p>
      {step !== "late" && (
        <Button icon={<Undo2 aria-hidden />} blocked={step === "undoing"} onClick={undo}>
          Undo
          <KeyHint>Z</KeyHint>
        </Button>
      )}
    </div>
  );
}

/** By this device's clock; should that be wrong, never more than the gateway has granted. */
function useSecondsLeft({ answeredAt, undoUntil }: UndoOfferProps): number {
  const clock = useUiClock();
  const untilMs = Date.parse(undoUntil);
  const [endMs] = useState(() => Math.min(untilMs, clock.now() + untilMs - Date.parse(answeredAt)));
  const [isOver, setIsOver] = useState(() => clock.now() >= endMs);
  useEffect(
    () => clock.schedule(Math.max(endMs - clock.now(), 0), () => setIsOver(true)),
    [clock, endMs],
  );
  const nowMs = useNow(isOver ? 0 : 1000);
  return isOver ? 0 : Math.ceil((endMs - nowMs) / 1000);
}

function useUndoKey(undo: () => void): void {
  const current = useRef(undo);
  useEffect(() => {
    current.current = undo;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
      if (event.key.toLowerCase() !== "z" || !isPlain || event.isComposing) return;
      if (event.target !== null && isTypingTarget(event.target)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
