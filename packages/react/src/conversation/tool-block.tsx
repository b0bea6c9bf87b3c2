import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { ChevronRight } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { useUiClock } from "../parts/ui-clock.tsx";
import { useWords } from "../words/use-words.ts";
import { CONVERSATION } from "./conversation-seam.ts";
import { Disclosure } from "./disclosure.tsx";
import { InteractionRounds } from "./interaction-rounds.tsx";
import { toToolFacts } from "./tool-facts.ts";
import { ToolLine } from "./tool-line.tsx";
import { toAllowedInput, toToolPhase, type ToolPhase } from "./tool-phase.ts";
import { toToolWords } from "./tool-words.ts";

interface ToolBlockProps {
  readonly item: ToolCallItem;
  /** The interactions of the call, oldest first. */
  readonly interactions: readonly Interaction[];
  readonly turnId: string | undefined;
  /** An earlier call has no result yet. */
  readonly isBehind: boolean;
  /** A grant allowed the call without asking. */
  readonly allowedEarlier: boolean;
  readonly steps?: { readonly count: number; readonly open: boolean } | undefined;
  readonly onToggleSteps: (open: boolean) => void;
}

/** One tool call: a line that opens to input and result, and the cards of its interactions. */
export function ToolBlock(props: ToolBlockProps): ReactNode {
  const { item, interactions, allowedEarlier, steps, onToggleSteps } = props;
  const say = useWords();
  const isAllowed = allowedEarlier || interactions.length > 0;
  const phase = useShownPhase(toToolPhase(item, interactions, props), item, isAllowed);
  const input = toAllowedInput(item, interactions);
  const words = toToolWords(item.toolName, input, say);
  const facts = toToolFacts(item, interactions, { phase, say });
  const cardSaysAll = interactions.length > 0 && (phase === "asked" || words.icon === "question");
  // The result of a call that was not allowed repeats the card.
  const resultBelow =
    interactions.length > 0 && (phase === "done" || phase === "failed" || cardSaysAll);
  return (
    <div className="hp-tool" data-phase={phase}>
      {!cardSaysAll && (
        <Disclosure
          name={item.key}
          summary={<ToolLine {...{ words, phase, facts, allowedEarlier }} />}
        >
          {() => (
            <CONVERSATION.Part of="ToolDetail" {...{ item, input, interactions, resultBelow }} />
          )}
        </Disclosure>
      )}
      {steps !== undefined && (
        <button
          type="button"
          className="hp-substeps"
          aria-expanded={steps.open}
          onClick={() => onToggleSteps(!steps.open)}
        >
          <ChevronRight aria-hidden className="hp-disclosure-mark" />
          {say("{count} step|{count} steps", { count: steps.count })}
        </button>
      )}
      {interactions.length > 0 && <InteractionRounds interactions={interactions} />}
      {resultBelow && <CONVERSATION.Part of="ToolResult" item={item} brief />}
      <Pictures item={item} />
    </div>
  );
}

function Pictures({ item: { toolName, result } }: { readonly item: ToolCallItem }): ReactNode {
  const pictures = result?.attachments;
  return pictures && <CONVERSATION.Part of="ToolPictures" {...{ toolName, pictures }} />;
}

/** How long a new call without an approval is still shown as asking. */
const ASKING_MS = 300;

/** Avoids showing a call as running in the moment before its agent asks for it. */
function useShownPhase(
  phase: ToolPhase,
  { startedAt }: ToolCallItem,
  isAllowed: boolean,
): ToolPhase {
  const clock = useUiClock();
  const isRunning = phase === "running" && !isAllowed;
  const [runs, setRuns] = useState(() => isRunning && !isRecent(startedAt, clock.now()));
  useEffect(
    () => (isRunning ? clock.schedule(ASKING_MS, () => setRuns(true)) : undefined),
    [clock, isRunning],
  );
  return isRunning && !runs ? "asked" : phase;
}

function isRecent(startedAt: string | undefined, nowMs: number): boolean {
  const ageMs = nowMs - Date.parse(startedAt ?? "");
  return ageMs >= 0 && ageMs < ASKING_MS;
}
