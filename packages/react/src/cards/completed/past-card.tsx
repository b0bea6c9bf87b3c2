import type { Interaction, InteractionResponse } from "@holdpoint/protocol";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { CompletedDetails } from "./completed-details.tsx";

interface PastCardProps {
  readonly interaction: Interaction;
  readonly response: InteractionResponse | undefined;
  /** The meaning of the card's colour: allowed or sent, denied or failed, or closed without an answer. */
  readonly tone: "ok" | "no" | "past";
  /** The name of the card for screen readers. */
  readonly name: string;
  readonly icon: ReactNode;
  /** The decision, in one line. */
  readonly children: ReactNode;
  /** The end of the line: person, time and result. */
  readonly meta: ReactNode;
}

/** The frame of a card that can no longer be answered: one line that opens to the request. */
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
        <CompletedDetails interaction={interaction} response={response} />
      </details>
    </article>
  );
}
