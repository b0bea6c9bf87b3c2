import type { Interaction } from "@holdpoint/protocol";
import {
  Clock,
  Eye,
  Lock,
  MessageSquareReply,
  Moon,
  RotateCcw,
  TriangleAlert,
  Unplug,
  X,
} from "lucide-react";
import { use, type ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { Button } from "../../parts/button.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import type { CardState } from "./card-state.ts";
import { toStateWords } from "./card-words.ts";
import { OwnRightContext } from "./own-right-context.ts";
import type { ResponseHandle } from "./use-response.ts";

interface CardNoticeProps {
  readonly interaction: Interaction;
  readonly response: ResponseHandle;
}

const ICONS = {
  parked: Moon,
  queued: MessageSquareReply,
  failed: TriangleAlert,
  invalid: TriangleAlert,
  changed: Eye,
  expired: Clock,
  orphaned: Unplug,
  read_only: Lock,
} as const;

const TONES = {
  parked: "past",
  queued: "past",
  failed: "danger",
  invalid: "danger",
  changed: "waiting",
  expired: "past",
  orphaned: "waiting",
  read_only: "past",
} as const;

/** The band below a card's header that explains a special state. Empty for an ordinary state. */
export function CardNotice({ interaction, response }: CardNoticeProps): ReactNode {
  const { phase } = response.state;
  const own = use(OwnRightContext);
  const { Notice } = own;
  return (
    <>
      {(phase === "pending" || phase === "parked" || phase === "queued") && (
        <AskedAgain interaction={interaction} />
      )}
      {isNoticed(phase) && <StateNotice response={response} phase={phase} />}
      {Notice !== undefined && (
        <Boundary>
          <Notice interaction={interaction} own={own} />
        </Boundary>
      )}
    </>
  );
}

interface StateNoticeProps {
  readonly response: ResponseHandle;
  readonly phase: keyof typeof ICONS;
}

function StateNotice({ response, phase }: StateNoticeProps): ReactNode {
  const say = useWords();
  const { headline, detail } = toStateWords(response.state, say);
  const Icon = ICONS[phase];
  return (
    <div className={`hp-card-notice hp-card-notice-${TONES[phase]}`}>
      <Icon aria-hidden />
      <p>
        <strong>{headline}.</strong> {detail !== undefined && <VisibleText text={detail} short />}
      </p>
      {phase === "failed" && (
        <Button icon={<RotateCcw aria-hidden />} onClick={response.retry}>
          {say("Retry")}
        </Button>
      )}
      {(phase === "expired" || phase === "orphaned") && response.dismiss !== undefined && (
        <Button icon={<X aria-hidden />} onClick={response.dismiss}>
          {say("Dismiss")}
        </Button>
      )}
    </div>
  );
}

/** The reason why the tool asks again. */
function AskedAgain({
  interaction: { error, attempt },
}: Pick<CardNoticeProps, "interaction">): ReactNode {
  const say = useWords();
  if (attempt === 1 && error === undefined) return null;
  return (
    <div className="hp-card-notice hp-card-notice-danger">
      <TriangleAlert aria-hidden />
      <p>
        <strong>
          {attempt > 1 ? say("Asked again, attempt {n}.", { n: attempt }) : say("Asked again.")}
        </strong>{" "}
        {error !== undefined && <VisibleText text={error} short />}
      </p>
    </div>
  );
}

function isNoticed(phase: CardState["phase"]): phase is keyof typeof ICONS {
  return Object.hasOwn(ICONS, phase);
}
