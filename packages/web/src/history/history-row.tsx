import type { HistoryEntry, Interaction, ResponseAction } from "@holdpoint/protocol";
import { allowedWords, BriefText, ConnectedCard, useNow, useTransport } from "@holdpoint/react";
import { Ban, Check, ChevronRight, type LucideIcon, MessageSquare } from "lucide-react";
import { useEffect, useId, useState, type ReactNode } from "react";

import { Link } from "../link.tsx";
import { toShortAge } from "../relative-time.ts";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords, type Words } from "../words/use-words.ts";

const AGE_REFRESH_MS = 30_000;

const ICONS: Readonly<Record<ResponseAction, LucideIcon>> = {
  approve: Check,
  deny: Ban,
  submit: MessageSquare,
  cancel: Ban,
};

interface HistoryRowProps {
  readonly entry: HistoryEntry;
  readonly agentName: string;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}

/** One answer. Opens to the card as it was. */
export function HistoryRow({ entry, agentName, open, onToggle }: HistoryRowProps): ReactNode {
  const { asked, said, action, answer, by, sessionId, sessionTitle, interactionId } = entry;
  const say = useWords();
  const nowMs = useNow(AGE_REFRESH_MS);
  const bodyId = useId();
  const Icon = ICONS[action];
  return (
    <li className="history-entry" data-action={action}>
      <button
        type="button"
        className="inbox-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => onToggle(!open)}
      >
        <Icon aria-hidden className="history-icon" />
        <span className="inbox-words">
          <span className="inbox-what">
            <BriefText text={say.told(asked, said?.["asked"])} />
          </span>
          <span className="history-answer">
            <strong>{say(actionWords(entry))}</strong>
            {answer !== undefined && (
              <>
                {": "}
                <BriefText text={answer} />
              </>
            )}
          </span>
          <span className="inbox-where">
            <BriefText text={`${by.person}, ${by.client}`} />
            {" · "}
            <time dateTime={by.at} title={new Date(by.at).toLocaleString(say.language.locale)}>
              {toShortAge(by.at, nowMs, say)}
            </time>
            {" · "}
            <BriefText text={sessionTitle === "" ? say("New session") : sessionTitle} />
            {" · "}
            <BriefText text={agentName} />
            {entry.comments !== undefined && <CommentCount count={entry.comments} />}
          </span>
        </span>
        <ChevronRight aria-hidden className="inbox-mark" />
      </button>
      {open && (
        <div id={bodyId} className="history-body">
          <ShownCard interactionId={interactionId} />
          <Link to={{ name: "session", sessionId }} className="inbox-go">
            {say("Open the conversation")}
          </Link>
        </div>
      )}
    </li>
  );
}

function CommentCount({ count }: { readonly count: number }): ReactNode {
  const say = useWords();
  return <> · {say("One comment|{count} comments", { count })}</>;
}

/** The decision, regardless of whether anything ran. */
function actionWords({ action, kind, approvalScope, edited, grantId }: HistoryEntry): Words {
  switch (action) {
    case "approve":
      if (grantId !== undefined) return "Allowed by a grant";
      return allowedWords(approvalScope, edited === true);
    case "deny":
      return kind === "form" ? "Declined" : "Denied";
    case "submit":
      return "Answered";
    case "cancel":
      return "Skipped";
  }
}

/** The card as its session shows it. */
function ShownCard({ interactionId }: { readonly interactionId: string }): ReactNode {
  const transport = useTransport();
  const toTrouble = useTrouble();
  const [interaction, setInteraction] = useState<Interaction>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const aborted = new AbortController();
    transport.getInteraction(interactionId, { signal: aborted.signal }).then(
      (read) => setInteraction(read),
      (error: unknown) => {
        if (!aborted.signal.aborted) setTrouble(toTrouble(error).text);
      },
    );
    return () => aborted.abort();
  }, [transport, toTrouble, interactionId]);
  if (trouble !== undefined) {
    return (
      <p className="field-error" role="alert">
        {trouble}
      </p>
    );
  }
  return interaction && <ConnectedCard interaction={interaction} />;
}
