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

import { BriefText } from "../parts/visible-text.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { CONVERSATION } from "./conversation-seam.ts";
import type { ToolFacts } from "./tool-facts.ts";
import type { ToolPhase } from "./tool-phase.ts";
import type { ToolWords } from "./tool-words.ts";

/** The placeholder of an icon. It keeps its room, so that nothing moves. */
function IconPlace(): ReactNode {
  return <span className="hp-tool-icon" />;
}

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
      <CONVERSATION.Part of="ToolIcon" instead={IconPlace} name={words.icon} />
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
