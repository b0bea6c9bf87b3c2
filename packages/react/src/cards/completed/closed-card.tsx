import type { Interaction } from "@holdpoint/protocol";
import { ChevronRight, Clock, Undo2, Unplug } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import type { CardState } from "../card-state.ts";
import { toAskedTitle } from "../card-title.ts";
import { toStateWords } from "../card-words.ts";
import { CompletedDetails } from "./completed-details.tsx";

interface ClosedCardProps {
  readonly interaction: Interaction;
  readonly state: CardState & { phase: "expired" | "orphaned" | "withdrawn" };
}

const CLOSED_ICONS = { expired: <Clock />, orphaned: <Unplug />, withdrawn: <Undo2 /> };

/** Nobody answered, and nobody can any more. */
export function ClosedCard({ interaction, state }: ClosedCardProps): ReactNode {
  const { headline, detail } = toStateWords(state);
  return (
    <article
      className="hp-done hp-done-past"
      tabIndex={-1}
      aria-label={headline}
      data-interaction-id={interaction.interactionId}
    >
      <details className="hp-done-details">
        <summary className="hp-done-summary">
          <span className="hp-done-icon" aria-hidden="true">
            {CLOSED_ICONS[state.phase]}
          </span>
          <span className="hp-done-what">
            <span className="hp-done-decision">{headline}</span>{" "}
            <span className="hp-done-asked">
              <VisibleText text={toAskedTitle(interaction)} />
            </span>
          </span>
          <span className="hp-done-who">
            {detail !== undefined && <VisibleText text={detail} />}
          </span>
          <ChevronRight className="hp-done-chevron" aria-hidden />
        </summary>
        <CompletedDetails interaction={interaction} response={undefined} />
      </details>
    </article>
  );
}
