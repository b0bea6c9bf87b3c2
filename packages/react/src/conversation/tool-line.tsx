import {
  Ban,
  Check,
  CircleHelp,
  LoaderCircle,
  OctagonAlert,
  Unplug,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { BriefText } from "../parts/visible-text.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import type { ToolFacts } from "./tool-facts.ts";
import type { ToolIconProps } from "./tool-icon.tsx";
import type { ToolPhase } from "./tool-phase.ts";
import type { ToolWords } from "./tool-words.ts";

/** The placeholder keeps its room, so that an icon loaded later moves nothing. */
const TOOL_ICON = createLazyPart<ToolIconProps>(
  () => <span className="hp-tool-icon" />,
  async () => (await import("./tool-icon.tsx")).ToolIcon,
);

/** Loads the icons of all tools ahead of their first use. Rejects when they cannot be loaded. */
export const preloadToolIcons: () => Promise<void> = TOOL_ICON.preload;

/** A tool call and its phase, in one line. */
export function ToolLine({
  words,
  phase,
  facts: { took, exit },
  allowedEarlier,
}: {
  readonly words: ToolWords;
  readonly phase: ToolPhase;
  readonly facts: ToolFacts;
  readonly allowedEarlier: boolean;
}): ReactNode {
  const say = useWords();
  return (
    <span className="hp-tool-line">
      <TOOL_ICON.Part name={words.icon} />
      <span className="hp-tool-verb">
        <BriefText text={toVerb(words, phase)} />
      </span>
      {words.object !== undefined && (
        <span className={`hp-tool-object hp-tool-${words.kind}`}>
          <bdi>
            <BriefText text={words.object} exact={words.kind !== "prose"} />
          </bdi>
        </span>
      )}
      {words.server !== undefined && (
        <span className="hp-tool-server">
          <BriefText text={words.server} />
        </span>
      )}
      {allowedEarlier && <span className="hp-tool-server">{say("allowed earlier")}</span>}
      {took !== undefined && <span className="hp-tool-took">{took}</span>}
      <PhaseMark phase={phase} words={exit} />
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
    case "unknown":
    // It may have been cut off before it began.
    case "unfinished":
      return words.asked;
    case "done":
    case "failed":
      return words.done;
  }
}

interface PhaseLook {
  readonly icon: LucideIcon;
  readonly words: Words;
  /** The ordinary case: its text is for screen readers only. */
  readonly isQuiet?: boolean;
}

const PHASE_LOOKS: Readonly<Record<Exclude<ToolPhase, "asked">, PhaseLook>> = {
  running: { icon: LoaderCircle, words: "running", isQuiet: true },
  done: { icon: Check, words: "done", isQuiet: true },
  failed: { icon: OctagonAlert, words: "failed" },
  denied: { icon: Ban, words: "denied" },
  not_run: { icon: Ban, words: "not run" },
  unfinished: { icon: Unplug, words: "not finished" },
  unknown: { icon: CircleHelp, words: "may have run" },
};

function PhaseMark({
  phase,
  words: exact,
}: {
  readonly phase: ToolPhase;
  /** Replaces the phase's own text. */
  readonly words: string | undefined;
}): ReactNode {
  const say = useWords();
  if (phase === "asked") return null;
  const { icon: Icon, words: usual, isQuiet } = PHASE_LOOKS[phase];
  const words = (phase === "failed" ? exact : undefined) ?? say(usual);
  return (
    <span className={`hp-phase hp-phase-${phase}`}>
      <Icon aria-hidden />
      <span className={isQuiet ? "hp-visually-hidden" : undefined}>{words}</span>
    </span>
  );
}
