import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { Disclosure } from "./disclosure.tsx";
import { InteractionRounds } from "./interaction-rounds.tsx";
import { ToolLine } from "./tool-line.tsx";
import { toToolPhase } from "./tool-phase.ts";
import { ToolResult } from "./tool-result.tsx";
import { toToolWords } from "./tool-words.ts";

const DETAIL = createLazyPart(
  "The tool call",
  async () => (await import("./tool-detail.tsx")).ToolDetail,
);

/** Loads what the line of a tool call opens to, ahead of its first use. */
export function preloadToolDetail(): void {
  DETAIL.preload().catch(() => undefined); // Its first use says so.
}

interface ToolBlockProps {
  readonly item: ToolCallItem;
  /** Its interactions, oldest first. */
  readonly interactions: readonly Interaction[];
  readonly turnId: string | undefined;
  /** A grant let it run without asking. */
  readonly allowedEarlier: boolean;
  readonly steps?: { readonly count: number; readonly open: boolean } | undefined;
  readonly onToggleSteps: (open: boolean) => void;
}

/** One tool call: a line that opens to input and result, and the cards of its interactions. */
export function ToolBlock(props: ToolBlockProps): ReactNode {
  const { item, interactions, turnId, allowedEarlier, steps, onToggleSteps } = props;
  const phase = toToolPhase(item, interactions, turnId);
  const words = toToolWords(item.toolName, item.input);
  const cardSaysAll = interactions.length > 0 && (phase === "asked" || words.icon === "question");
  const resultBelow = item.result !== undefined && interactions.some(isPartOfRun);
  return (
    <div className="hp-tool" data-phase={phase}>
      {!cardSaysAll && (
        <Disclosure name={item.key} summary={<ToolLine {...{ words, phase, allowedEarlier }} />}>
          {() => <DETAIL.Part {...{ item, interactions, resultBelow }} />}
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
          {steps.count === 1 ? "1 step" : `${steps.count} steps`}
        </button>
      )}
      {interactions.length > 0 && <InteractionRounds interactions={interactions} />}
      {resultBelow && <ToolResult item={item} />}
    </div>
  );
}

/**
 * Whether the interaction is a part of the tool's run, so that the result comes after it. A tool asks within its run, and
 * a form collects the tool's input. Approvals and questions of the agent come before the run.
 */
function isPartOfRun({ kind, askedBy }: Interaction): boolean {
  return askedBy === "tool" || kind === "form";
}
