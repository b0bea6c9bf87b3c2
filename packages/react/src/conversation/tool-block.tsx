import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { useWords } from "../words/use-words.ts";
import { Disclosure } from "./disclosure.tsx";
import { InteractionRounds } from "./interaction-rounds.tsx";
import { toToolFacts } from "./tool-facts.ts";
import { preloadToolIcons, ToolLine } from "./tool-line.tsx";
import { toAllowedInput, toToolPhase } from "./tool-phase.ts";
import { ToolResult } from "./tool-result.tsx";
import { toToolWords } from "./tool-words.ts";

const DETAIL = createLazyPart(
  "The tool call",
  async () => (await import("./tool-detail.tsx")).ToolDetail,
);

/** Loads what the line of a tool call opens to, ahead of its first use. */
export function preloadToolDetail(): void {
  DETAIL.preload().catch(() => undefined); // Its first use says so.
  preloadToolIcons().catch(() => undefined);
}

interface ToolBlockProps {
  readonly item: ToolCallItem;
  /** Its interactions, oldest first. */
  readonly interactions: readonly Interaction[];
  readonly turnId: string | undefined;
  /** A call before it has no result yet. */
  readonly isBehind: boolean;
  /** A grant let it run without asking. */
  readonly allowedEarlier: boolean;
  readonly steps?: { readonly count: number; readonly open: boolean } | undefined;
  readonly onToggleSteps: (open: boolean) => void;
}

/** One tool call: a line that opens to input and result, and the cards of its interactions. */
export function ToolBlock(props: ToolBlockProps): ReactNode {
  const { item, interactions, allowedEarlier, steps, onToggleSteps } = props;
  const say = useWords();
  const phase = toToolPhase(item, interactions, props);
  const input = toAllowedInput(item, interactions);
  const words = toToolWords(item.toolName, input, say);
  const facts = toToolFacts(item, interactions, { phase, say });
  const cardSaysAll = interactions.length > 0 && (phase === "asked" || words.icon === "question");
  // Of what was not allowed the result says nothing that the card does not say.
  const resultBelow =
    interactions.length > 0 && (phase === "done" || phase === "failed" || cardSaysAll);
  return (
    <div className="hp-tool" data-phase={phase}>
      {!cardSaysAll && (
        <Disclosure
          name={item.key}
          summary={<ToolLine {...{ words, phase, facts, allowedEarlier }} />}
        >
          {() => <DETAIL.Part {...{ item, input, interactions, resultBelow }} />}
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
      {resultBelow && <ToolResult item={item} brief />}
    </div>
  );
}
