import {
  Ban,
  Bot,
  Check,
  CircleHelp,
  FilePlus2,
  FileText,
  FolderSearch,
  Globe,
  ListChecks,
  LoaderCircle,
  MessageCircleQuestion,
  OctagonAlert,
  Pencil,
  Plug,
  Route,
  Search,
  SquareTerminal,
  Unplug,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import { BriefText } from "../parts/visible-text.tsx";
import type { ToolFacts } from "./tool-facts.ts";
import type { ToolPhase } from "./tool-phase.ts";
import type { ToolIconName, ToolWords } from "./tool-words.ts";

/** What a tool call is and where it stands, in one line. */
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
  return (
    <span className="hp-tool-line">
      <ToolIcon name={words.icon} />
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
      {allowedEarlier && <span className="hp-tool-server">allowed earlier</span>}
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
  /** The ordinary case: its words are for screen readers only. */
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
  /** Instead of the phase's own. */
  readonly words: string | undefined;
}): ReactNode {
  if (phase === "asked") return null;
  const { icon: Icon, words: usual, isQuiet } = PHASE_LOOKS[phase];
  const words = phase === "failed" ? (exact ?? usual) : usual;
  return (
    <span className={`hp-phase hp-phase-${phase}`}>
      <Icon aria-hidden />
      <span className={isQuiet ? "hp-visually-hidden" : undefined}>{words}</span>
    </span>
  );
}

const ICONS: Readonly<Record<ToolIconName, LucideIcon>> = {
  terminal: SquareTerminal,
  file: FileText,
  pencil: Pencil,
  "file-plus": FilePlus2,
  search: Search,
  folder: FolderSearch,
  globe: Globe,
  agent: Bot,
  list: ListChecks,
  question: MessageCircleQuestion,
  plan: Route,
  plug: Plug,
  tool: Wrench,
};

function ToolIcon({ name }: { readonly name: ToolIconName }): ReactNode {
  const Icon = ICONS[name];
  return <Icon aria-hidden className="hp-tool-icon" />;
}
