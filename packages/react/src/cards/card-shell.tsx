import { Bot } from "lucide-react";
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { useStuckActions } from "./use-stuck-actions.ts";

/** What the colour of a card means: it waits for you, it is under way, or it is past. */
export type CardTone = "waiting" | "quiet" | "past";

export interface CardShellProps {
  readonly tone: CardTone;
  readonly kind: string;
  readonly icon: ReactNode;
  readonly title: string;
  /** At the end of the header. */
  readonly meta?: ReactNode;
  readonly agentLabel?: string | undefined;
  readonly agentId?: string | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  readonly interactionId: string;
  readonly children: ReactNode;
}

/** The frame of a card that is not finished. It takes focus itself, so that its keys act on it alone. */
export function CardShell(props: CardShellProps): ReactNode {
  const { tone, kind, icon, title, meta, agentLabel, agentId, onKeyDown, children } = props;
  const titleId = useId();
  const article = useRef<HTMLElement>(null);
  const header = useRef<HTMLElement>(null);
  const stuck = useStuckActions(header);
  const { autoFocus = false } = props;
  useEffect(() => {
    if (autoFocus) article.current?.focus();
  }, [autoFocus]);

  return (
    // oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- single-key shortcuts act only on the card that has focus
    <article
      ref={article}
      className={`hp-card hp-card-${tone} hp-card-${kind}`}
      tabIndex={0}
      aria-labelledby={titleId}
      data-interaction-id={props.interactionId}
      data-stuck={stuck || undefined}
      onKeyDown={onKeyDown}
    >
      <header className="hp-card-header" ref={header}>
        <span className="hp-card-icon" aria-hidden="true">
          {icon}
        </span>
        <span className="hp-card-heading">
          <span className="hp-card-title" id={titleId}>
            <VisibleText text={title} />
          </span>
          {(agentLabel !== undefined || agentId !== undefined) && (
            <span className="hp-card-agent">
              {agentLabel !== undefined && <VisibleText text={agentLabel} />}
              {agentId !== undefined && (
                <span className="hp-card-subagent">
                  <Bot aria-hidden />
                  sub-agent <VisibleText text={agentId} />
                </span>
              )}
            </span>
          )}
        </span>
        <span className="hp-card-meta">{meta}</span>
      </header>
      {children}
    </article>
    // oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
  );
}
