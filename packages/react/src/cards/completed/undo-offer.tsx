import { ProtocolError } from "@holdpoint/protocol";
import { Undo2 } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { tellShift } from "../../parts/shifts.ts";
import { useNow, useUiClock } from "../../parts/ui-clock.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { CARD_KEYS, isCardKey } from "../shared/card-keys.ts";
import { isComposing, isTypingTarget } from "../shared/keyboard.ts";

export interface UndoOfferProps {
  /** The time of the response, by the gateway's clock. */
  readonly answeredAt: string;
  /** The time of delivery to the agent, by the gateway's clock. */
  readonly undoUntil: string;
  /** The response that can be undone, if it is not shown above. */
  readonly what?: ReactNode;
  /** Undoes the response. Rejects if the agent already has it. */
  readonly onUndo: () => Promise<unknown>;
  /** Called when the time is up and the offer disappears. */
  readonly onOver?: () => void;
}

type Step = "offered" | "undoing" | "failed" | "late";

/** Shown for a moment after an answer: the time until the agent gets it, and a button to undo it (or the key `Z`). */
export function UndoOffer(props: UndoOfferProps): ReactNode {
  const { what, onUndo, onOver } = props;
  const [step, setStep] = useState<Step>("offered");
  const say = useWords();
  const secondsLeft = useSecondsLeft(props);
  const undo = (): void => {
    if (step === "undoing" || step === "late" || secondsLeft <= 0) return;
    setStep("undoing");
    onUndo().catch((error: unknown) => setStep(isRefused(error) ? "late" : "failed"));
  };
  useUndoKey(undo);
  const isOver = (step === "offered" || step === "failed") && secondsLeft <= 0;
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- its room is freed when it is over and when it unmounts
  useLayoutEffect(() => tellShift, [isOver]);
  // Called once, although the parent may render again with another function before the offer is gone.
  const over = useRef(onOver);
  useEffect(() => {
    over.current = onOver;
  });
  useEffect(() => {
    if (isOver) over.current?.();
  }, [isOver]);
  if (isOver) return null;
  return (
    <div className="hp-card-notice hp-undo" role="note">
      <p>
        {what !== undefined && <strong>{what} </strong>}
        {step in TROUBLE ? (
          say(TROUBLE[step as keyof typeof TROUBLE])
        ) : (
          // Off, also inside a live region: an announcement every second would only disturb.
          <span aria-live="off">
            {say("Sending to the agent in {n} s.", { n: Math.max(secondsLeft, 1) })}
          </span>
        )}
      </p>
      {step !== "late" && (
        <Button icon={<Undo2 aria-hidden />} blocked={step === "undoing"} onClick={undo}>
          {say("Undo")}
          <KeyHint>{CARD_KEYS.undo}</KeyHint>
        </Button>
      )}
    </div>
  );
}

const TROUBLE = {
  late: "Too late to undo: the agent has the answer.",
  failed: "Undo not confirmed by the gateway. Try again.",
} as const satisfies Partial<Record<Step, Words>>;

/** Whether the gateway refused. Without its reply, it is unclear who was first. */
function isRefused(error: unknown): boolean {
  return ProtocolError.isInstance(error) && error.code === "ALREADY_ANSWERED";
}

/** The time left by this device's clock. If that clock is wrong, never more than the gateway has granted. */
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
      if (!isCardKey(event, "undo") || !isPlain || isComposing(event)) return;
      // For a key pressed in a shadow tree, `event.target` is the host.
      const [target] = event.composedPath();
      if (target !== undefined && isTypingTarget(target)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
