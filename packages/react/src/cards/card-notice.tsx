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

import { Button } from "../parts/button.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { CardState } from "./card-state.ts";
import { QUEUED_WORDS, toStateWords } from "./card-words.ts";

interface CardNoticeProps {
  state: CardState;
  interaction: Interaction;
  onRetry?: () => void;
}

const ICONS = {
  failed: TriangleAlert,
  invalid: TriangleAlert,
  changed: Eye,
  expired: Clock,
  orphaned: Unplug,
  read_only: Lock,
} as const;

const TONES = {
  failed: "danger",
  invalid: "danger",
  changed: "waiting",
  expired: "past",
  orphaned: "waiting",
  read_only: "past",
} as const;

/** The band under a card's header that says what is special about its state, where anything is. */
export function CardNotice({ state, interaction, onRetry }: CardNoticeProps) {
  const { phase } = state;
  if (!isNoticed(phase)) {
    return phase === "pending" ? <PendingNotices interaction={interaction} /> : null;
  }
  const { headline, detail } = toStateWords(state);
  const Icon = ICONS[phase];
  return (
    <div className={`hp-notice hp-notice-${TONES[phase]}`}>
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

/** What is special about one that simply waits: it was asked before, or the agent went on without it. */
function PendingNotices({ interaction }: { interaction: Interaction }) {
  const { error, attempt, hold } = interaction;
  const asksAgain = attempt > 1 || error !== undefined;
  return (
    <>
      {asksAgain && (
        <div className="hp-notice hp-notice-danger">
          <TriangleAlert aria-hidden />
          <p>
            <strong>{attempt > 1 ? `Asked again, attempt ${attempt}.` : "Asked again."}</strong>{" "}
            {error !== undefined && <VisibleText text={error} />}
          </p>
        </div>
      )}
      {hold === "queued" && (
        <div className="hp-notice hp-notice-past">
          <MessageSquareReply aria-hidden />
          <p>{QUEUED_WORDS}</p>
        </div>
      )}
    </>
  );
}

function isNoticed(phase: CardState["phase"]): phase is keyof typeof ICONS {
  return Object.hasOwn(ICONS, phase);
}
