import type { DraftStorage } from "@holdpoint/client";
import { type Interaction, isKept } from "@holdpoint/protocol";
import { Bot, SquareTerminal } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { CoverContext } from "../../parts/cover-context.ts";
import { useShifts } from "../../parts/shifts.ts";
import { TitleText } from "../../parts/title-text.tsx";
import { UnshownContext, type UnshownReport } from "../../parts/unshown.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { CardNotice } from "./card-notice.tsx";
import { acceptsAnswer } from "./card-state.ts";
import { CardTiming } from "./card-timing.tsx";
import { toCardTitle } from "./card-title.ts";
import { useActionPlace } from "./use-action-place.ts";
import { useArming } from "./use-arming.ts";
import type { ResponseHandle } from "./use-response.ts";

/** What every kind of open card gets. */
export interface OpenCardProps {
  readonly interaction: Interaction;
  readonly response: ResponseHandle;
  readonly drafts: DraftStorage;
  readonly agentLabel?: string | undefined;
  readonly autoFocus?: boolean | undefined;
}

type CardShellProps = Pick<OpenCardProps, "interaction" | "agentLabel" | "autoFocus"> & {
  readonly kind: Interaction["kind"] | "unreadable";
  readonly icon: ReactNode;
  /** Default: what is asked. */
  readonly title?: string;
  /** Absent: this card cannot answer. */
  readonly response?: ResponseHandle;
  /** Below the content, for a client that may answer. */
  readonly actions?: ReactNode;
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  /** Told of each part of the content that is not shown whole. */
  readonly onUnshown?: UnshownReport | undefined;
  readonly children: ReactNode;
};

/** The frame of an open card, the same for all kinds. It takes focus itself, so that its keys act on it alone. */
export function CardShell(props: CardShellProps): ReactNode {
  const { interaction, kind, response, actions, onKeyDown, autoFocus = false, children } = props;
  const titleId = useId();
  const article = useRef<HTMLElement>(null);
  const [actionArea, setActionArea] = useState<HTMLElement | null>(null);
  const { stuck, moves } = useActionPlace(article, actionArea);
  const isSteady = useArming(`${useShifts()} ${moves}`);
  useEffect(() => {
    if (autoFocus) article.current?.focus();
  }, [autoFocus]);
  const tone = response !== undefined && acceptsAnswer(response.state) ? "waiting" : "quiet";
  return (
    // oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- single-key shortcuts act only on the card that has focus
    <article
      ref={article}
      className={`hp-card hp-card-${tone} hp-card-${kind}`}
      tabIndex={0}
      aria-labelledby={titleId}
      data-interaction-id={interaction.interactionId}
      data-stuck={stuck || undefined}
      onKeyDown={onKeyDown}
    >
      <header className="hp-card-header">
        <span className="hp-card-icon" aria-hidden="true">
          {props.icon}
        </span>
        <span className="hp-card-heading">
          <span className="hp-card-title" id={titleId}>
            <Boundary>
              <CardTitle interaction={interaction} title={props.title} />
            </Boundary>
          </span>
          <AskingAgent
            label={props.agentLabel}
            part={interaction.agentTask ?? interaction.agentId}
            isProgram={isKept(interaction)}
            callbackHost={interaction.callbackHost}
          />
        </span>
        <span className="hp-card-meta">
          <CardTiming interaction={interaction} />
        </span>
      </header>
      {response !== undefined && <CardNotice interaction={interaction} response={response} />}
      {/* The actions stand outside: whatever the content is, Deny can be pressed. */}
      <UnshownContext value={props.onUnshown}>
        <CoverContext value={actionArea}>
          <Boundary>{children}</Boundary>
        </CoverContext>
      </UnshownContext>
      {response?.state.phase !== "read_only" && (
        <div ref={setActionArea} className="hp-card-actions" data-shifted={!isSteady || undefined}>
          {actions}
        </div>
      )}
    </article>
    // oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
  );
}

/** By itself, so that a defect in it leaves the rest of the card. */
function CardTitle({
  interaction,
  title,
}: {
  readonly interaction: Interaction;
  readonly title: string | undefined;
}): ReactNode {
  const say = useWords();
  return <TitleText text={title ?? toCardTitle(interaction, say)} />;
}

interface AskingAgentProps {
  readonly label: string | undefined;
  /**
   * What the sub-agent that asked is to do, or else its id; absent where the agent itself asks. Of a program: what it calls
   * itself.
   */
  readonly part: string | undefined;
  readonly isProgram: boolean;
  /** Where a program is told that it is over. */
  readonly callbackHost: string | undefined;
}

function AskingAgent({ label, part, isProgram, callbackHost }: AskingAgentProps): ReactNode {
  const say = useWords();
  if (label === undefined && part === undefined) return null;
  const name = part !== undefined && { name: <VisibleText text={part} short /> };
  return (
    <span className="hp-card-agent">
      {label !== undefined && <VisibleText text={label} short />}
      {name && (
        <span className="hp-card-subagent">
          {isProgram ? <SquareTerminal aria-hidden /> : <Bot aria-hidden />}
          {isProgram ? say.rich("program {name}", name) : say.rich("sub-agent {name}", name)}
        </span>
      )}
      {callbackHost !== undefined && (
        <span>
          {say.rich("The program is told at {host}", {
            host: <VisibleText text={callbackHost} short />,
          })}
        </span>
      )}
    </span>
  );
}
