import type { Interaction, InteractionResponse } from "@holdpoint/protocol";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";

const DETAILS = createLazyPart(
  "What was asked",
  async () => (await import("./completed-details.tsx")).CompletedDetails,
);

/** Loads what a past card opens to, ahead of its first use. Rejects when it cannot be loaded. */
export const preloadDetails: () => Promise<void> = DETAILS.preload;

interface PastCardProps {
  readonly interaction: Interaction;
  readonly response: InteractionResponse | undefined;
  /** What the colour of the card says: allowed or sent, denied or failed, or past without an answer. */
  readonly tone: "ok" | "no" | "past";
  /** Of the card, for a screen reader. */
  readonly name: string;
  readonly icon: ReactNode;
  /** What was decided, in a line. */
  readonly children: ReactNode;
  /** At the end of the line: who, when, and what became of it. */
  readonly meta: ReactNode;
}

/** The frame of a card that takes no answer any more: one line that opens to what was asked. */
export function PastCard(props: PastCardProps): ReactNode {
  const { interaction, response, tone, name, icon, children, meta } = props;
  return (
    <article
      className={`hp-done hp-done-${tone}`}
      tabIndex={-1}
      aria-label={name}
      data-interaction-id={interaction.interactionId}
    >
      <details
        className="hp-done-details"
        {...(response !== undefined &&
          interaction.completedView?.showInputs === true && { open: true })}
      >
        <summary className="hp-done-summary">
          <span className="hp-done-icon" aria-hidden="true">
            {icon}
          </span>
          <span className="hp-done-what">{children}</span>
          <span className="hp-done-who">{meta}</span>
          <ChevronRight className="hp-done-chevron" aria-hidden />
        </summary>
        <DETAILS.Part interaction={interaction} response={response} />
      </details>
    </article>
  );
}
