import type { Interaction } from "@holdpoint/protocol";
import {
  Clock,
  Eye,
  Lock,
  MessageSquareReply,
  RotateCcw,
  TriangleAlert,
  Unplug,
} from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { CardState } from "./card-state.ts";
import { toStateWords } from "./card-words.ts";

interface CardNoticeProps {
  readonly state: CardState;
  readonly interaction: Interaction;
  readonly onRetry?: () => void;
}

const ICONS = {
  queued: MessageSquareReply,
  failed: TriangleAlert,
  invalid: TriangleAlert,
  changed: Eye,
  expired: Clock,
  orphaned: Unplug,
  read_only: Lock,
} as const;

const TONES = {
  queued: "past",
  failed: "danger",
  invalid: "danger",
  changed: "waiting",
  expired: "past",
  orphaned: "waiting",
  read_only: "past",
} as const;

/** The band under a card's header that says what is special about its state, where anything is. */
export function CardNotice({ state, interaction, onRetry }: CardNoticeProps): ReactNode {
  const { phase } = state;
  return (
    <>
      {(phase === "pending" || phase === "queued") && <AskedAgain interaction={interaction} />}
      {isNoticed(phase) && <StateNotice {...{ state, phase, onRetry }} />}
    </>
  );
}

interface StateNoticeProps {
  readonly state: CardState;
  readonly phase: keyof typeof ICONS;
  readonly onRetry: (() => void) | undefined;
}

function StateNotice({ state, phase, onRetry }: StateNoticeProps): ReactNode {
  const { headline, detail } = toStateWords(state);
  const Icon = ICONS[phase];
  return (
    <div className={`hp-card-notice hp-card-notice-${TONES[phase]}`}>
      <Icon aria-hidden />
      <p>
        <strong>{headline}.</strong> {detail !== undefined && <VisibleText text={detail} />}
      </p>
      {phase === "failed" && onRetry !== undefined && (
        <Button icon={<RotateCcw aria-hidden />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** What was wrong with the round before. */
function AskedAgain({
  interaction: { error, attempt },
}: Pick<CardNoticeProps, "interaction">): ReactNode {
  if (attempt === 1 && error === undefined) return null;
  return (
    <div className="hp-card-notice hp-card-notice-danger">
      <TriangleAlert aria-hidden />
      <p>
        <strong>{attempt > 1 ? `Asked again, attempt ${attempt}.` : "Asked again."}</strong>{" "}
        {error !== undefined && <VisibleText text={error} />}
      </p>
    </div>
  );
}

function isNoticed(phase: CardState["phase"]): phase is keyof typeof ICONS {
  return Object.hasOwn(ICONS, phase);
}
