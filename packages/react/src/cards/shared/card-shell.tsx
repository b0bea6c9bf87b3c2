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
  /** Default: the title of the request. */
  readonly title?: string;
  /** Absent: this card cannot be answered. */
  readonly response?: ResponseHandle;
  /** Shown below the content for a client that may answer. */
  readonly actions?: ReactNode;
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  /** Called for each part of the content that is not shown in full. */
  readonly onUnshown?: UnshownReport | undefined;
  readonly children: ReactNode;
};

/** The frame of every open card. It can be focused itself, so that its keys act on this card only. */
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
      {/* The actions are outside of the content, so that Deny can always be pressed. */}
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

/** A separate component, so that an error in it does not affect the rest of the card. */
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
  /** The sub-agent's task, or else its id; absent if the agent itself asked. For a program, its name. */
  readonly part: string | undefined;
  readonly isProgram: boolean;
  /** The host that receives a program's callback at the end. */
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
          {say.rich("The program is notified at {host}", {
            host: <VisibleText text={callbackHost} short />,
          })}
        </span>
      )}
    </span>
  );
}
