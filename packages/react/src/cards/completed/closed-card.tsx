import type { Interaction } from "@holdpoint/protocol";
import { Clock, Undo2, Unplug } from "lucide-react";
import type { ReactNode } from "react";

import { TitleText } from "../../parts/title-text.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import type { CardState } from "../shared/card-state.ts";
import { toAskedTitle } from "../shared/card-title.ts";
import { toStateWords } from "../shared/card-words.ts";
import { PastCard } from "./past-card.tsx";

interface ClosedCardProps {
  readonly interaction: Interaction;
  readonly state: CardState & { phase: "expired" | "orphaned" | "withdrawn" };
}

const CLOSED_ICONS = { expired: <Clock />, orphaned: <Unplug />, withdrawn: <Undo2 /> };

/** An interaction that was closed without an answer. */
export function ClosedCard({ interaction, state }: ClosedCardProps): ReactNode {
  const say = useWords();
  const { headline, detail } = toStateWords(state, say);
  return (
    <PastCard
      interaction={interaction}
      response={undefined}
      tone="past"
      name={headline}
      icon={CLOSED_ICONS[state.phase]}
      meta={detail !== undefined && <BriefText text={detail} />}
    >
      <span className="hp-done-decision">{headline}</span>{" "}
      <span className="hp-done-asked">
        <TitleText text={toAskedTitle(interaction, say.language)} brief />
      </span>
    </PastCard>
  );
}
