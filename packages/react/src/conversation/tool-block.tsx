import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import {
  Ban,
  Check,
  ChevronRight,
  LoaderCircle,
  OctagonAlert,
  Unplug,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import { CodeBlock } from "../parts/code-block.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { Disclosure } from "./disclosure.tsx";
import { InteractionRounds } from "./interaction-rounds.tsx";
import { LongText } from "./long-text.tsx";
import { toToolChanges } from "./tool-changes.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { toToolPhase, type ToolPhase } from "./tool-phase.ts";
import { toToolWords, type ToolWords } from "./tool-words.ts";

interface ToolBlockProps {
  readonly item: ToolCallItem;
  /** What it asked, oldest first. */
  readonly interactions: readonly Interaction[];
  readonly turnId: string | undefined;
  /** An approval given before let it run without asking. */
  readonly allowedEarlier: boolean;
  readonly steps?: { readonly count: number; readonly open: boolean } | undefined;
  readonly onToggleSteps: (open: boolean) => void;
}

/** One tool call: a line that opens to input and result, and the cards of what it asked. */
export function ToolBlock(props: ToolBlockProps): ReactNode {
  const { item, interactions, turnId, allowedEarlier, steps, onToggleSteps } = props;
  const phase = toToolPhase(item, interactions, turnId);
  const words = toToolWords(item.toolName, item.input);
  const cardSaysAll = interactions.length > 0 && (phase === "asked" || words.icon === "question");
  // What a tool asks is part of its run, so its result comes after; an agent asks before the tool runs.
  const resultBelow =
    item.result !== undefined && interactions.some(({ askedBy }) => askedBy === "tool");
  return (
    <div className="hp-tool" data-phase={phase}>
      {!cardSaysAll && (
        <Disclosure name={item.key} summary={<ToolLine {...{ words, phase, allowedEarlier }} />}>
          {() => <ToolDetail {...{ item, interactions, resultBelow }} />}
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

function ToolLine({
  words,
  phase,
  allowedEarlier,
}: {
  readonly words: ToolWords;
  readonly phase: ToolPhase;
  readonly allowedEarlier: boolean;
}): ReactNode {
  return (
    <span className="hp-tool-line">
      <ToolIcon name={words.icon} />
      <span className="hp-tool-verb">
        <VisibleText text={toVerb(words, phase)} />
      </span>
      {words.object !== undefined && (
        <span className={`hp-tool-object hp-tool-${words.kind}`}>
          <bdi>
            <VisibleText text={words.object} />
          </bdi>
        </span>
      )}
      {words.server !== undefined && (
        <span className="hp-tool-server">
          <VisibleText text={words.server} />
        </span>
      )}
      {allowedEarlier && <span className="hp-tool-server">allowed earlier</span>}
      <PhaseMark phase={phase} />
    </span>
  );
}

function toVerb(words: ToolWords, phase: ToolPhase): string {
  switch (phase) {
    case "asked":
      return words.asked;
    case "running":
      return words.running;
    case "denied":
    case "not_run":
      return words.asked;
    case "done":
    case "failed":
    case "unfinished":
      return words.done;
  }
}

interface PhaseLook {
  readonly icon: LucideIcon;
  readonly words: string;
  /** What is as it should be is only said to those who do not see it. */
  readonly isQuiet?: boolean;
}

const PHASE_LOOKS: Readonly<Record<Exclude<ToolPhase, "asked">, PhaseLook>> = {
  running: { icon: LoaderCircle, words: "running", isQuiet: true },
  done: { icon: Check, words: "done", isQuiet: true },
  failed: { icon: OctagonAlert, words: "failed" },
  denied: { icon: Ban, words: "denied" },
  not_run: { icon: Ban, words: "not run" },
  unfinished: { icon: Unplug, words: "not finished" },
};

function PhaseMark({ phase }: { readonly phase: ToolPhase }): ReactNode {
  if (phase === "asked") return null;
  const { icon: Icon, words, isQuiet } = PHASE_LOOKS[phase];
  return (
    <span className={`hp-phase hp-phase-${phase}`}>
      <Icon aria-hidden />
      <span className={isQuiet ? "hp-visually-hidden" : undefined}>{words}</span>
    </span>
  );
}

function ToolDetail({
  item,
  interactions,
  resultBelow,
}: {
  readonly item: ToolCallItem;
  readonly interactions: readonly Interaction[];
  /** What it returned stands below the card that it asked with. */
  readonly resultBelow: boolean;
}): ReactNode {
  const changes = toToolChanges(item.input, interactions);
  return (
    <div className="hp-tool-detail">
      {changes.length > 0 ? (
        changes.map((change, index) => (
          <DiffView
            // oxlint-disable-next-line react/no-array-index-key -- the edits of one call have no identity but their place
            key={index}
            caption={change.path}
            after={change.after}
            {...(change.before !== undefined && { before: change.before })}
          />
        ))
      ) : (
        <ToolInput item={item} />
      )}
      {!resultBelow && <ToolResult item={item} />}
    </div>
  );
}

function ToolResult({ item: { result } }: { readonly item: ToolCallItem }): ReactNode {
  if (result === undefined) return null;
  if (result.content === "") return <p className="hp-tool-empty">It returned nothing.</p>;
  return <LongText text={result.content} caption={result.isError ? "Error" : "Result"} />;
}

function ToolInput({ item }: { readonly item: ToolCallItem }): ReactNode {
  if (item.input === undefined) return <CodeBlock text={item.inputText ?? ""} caption="Input" />;
  const { command } = item.input;
  if (typeof command === "string") return <CodeBlock text={command} caption="Command" />;
  if (Object.keys(item.input).length === 0) return null;
  return <JsonView value={item.input} caption="Input" />;
}
