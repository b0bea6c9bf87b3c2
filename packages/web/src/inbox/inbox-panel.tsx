import type { Interaction, Session } from "@holdpoint/protocol";
import { Button, ConnectedCard, toAskedTitle, useNow, VisibleText } from "@holdpoint/react";
import {
  ChevronRight,
  Inbox,
  MessageCircleQuestionMark,
  Shield,
  TextCursorInput,
  X,
  type LucideIcon,
} from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { Link } from "../link.tsx";
import { toShortAge } from "../relative-time.ts";
import type { InboxGroups } from "./inbox-groups.ts";

const ageRefreshMs = 30_000;

interface InboxPanelProps {
  readonly groups: InboxGroups;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly loading: boolean;
  /** Puts it away where it lies over the conversation. */
  readonly onClose: () => void;
}

/** Everything that waits, over all sessions, answerable here. */
export function InboxPanel({ groups, sessions, loading, onClose }: InboxPanelProps): ReactNode {
  const { waiting, late } = groups;
  const nowMs = useNow(ageRefreshMs);
  const [open, setOpen] = useState<string>();
  const entry = (interaction: Interaction): ReactNode => (
    <InboxEntry
      key={interaction.interactionId}
      interaction={interaction}
      session={sessions.get(interaction.sessionId)}
      age={toShortAge(interaction.startedAt, nowMs)}
      open={interaction.interactionId === open}
      onToggle={(next) => setOpen(next ? interaction.interactionId : undefined)}
    />
  );
  return (
    <aside className="inbox" aria-label="Inbox">
      <h2 className="inbox-title">
        Waiting for you
        {waiting.length > 0 && <span className="count">{waiting.length}</span>}
        <Button
          tone="quiet"
          iconOnly
          className="inbox-close"
          title="Close"
          icon={<X aria-hidden />}
          onClick={onClose}
        >
          Close the inbox
        </Button>
      </h2>
      <div className="inbox-scroll">
        {waiting.length === 0 && late.length === 0 && !loading && <NothingWaits />}
        {waiting.length > 0 && <ul className="inbox-list">{waiting.map(entry)}</ul>}
        {late.length > 0 && (
          <section aria-labelledby="inbox-late">
            <h3 id="inbox-late" className="rail-title">
              Missed, still answerable
            </h3>
            <ul className="inbox-list inbox-late">{late.map(entry)}</ul>
          </section>
        )}
      </div>
    </aside>
  );
}

function NothingWaits(): ReactNode {
  return (
    <div className="inbox-empty">
      <Inbox aria-hidden />
      <p>Nothing waits for you.</p>
      <p className="quiet">Questions and approvals of all sessions come together here.</p>
    </div>
  );
}

const icons: Readonly<Record<Interaction["kind"], LucideIcon>> = {
  approval: Shield,
  question: MessageCircleQuestionMark,
  form: TextCursorInput,
};

interface InboxEntryProps {
  readonly interaction: Interaction;
  readonly session: Session | undefined;
  readonly age: string;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}

function InboxEntry({ interaction, session, age, open, onToggle }: InboxEntryProps): ReactNode {
  const Icon = icons[interaction.kind];
  const bodyId = useId();
  const { status, hold } = interaction;
  const inNoHurry = status === "pending" && (hold === "parked" || hold === "queued");
  return (
    <li className="inbox-entry" data-open={open || undefined}>
      <button
        type="button"
        className="inbox-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => onToggle(!open)}
      >
        <Icon aria-hidden className="inbox-icon" />
        <span className="inbox-words">
          <span className="inbox-where">
            <VisibleText text={session?.title ?? "Session"} />
            <span className="inbox-age">
              {" · "}
              {age}
              {inNoHurry && " · no hurry"}
            </span>
          </span>
          <span className="inbox-what">
            <VisibleText text={toAskedTitle(interaction)} />
          </span>
        </span>
        <ChevronRight aria-hidden className="inbox-mark" />
      </button>
      {open && (
        <div id={bodyId} className="inbox-body">
          <ConnectedCard interaction={interaction} />
          <Link to={{ name: "session", sessionId: interaction.sessionId }} className="inbox-go">
            Open the conversation
          </Link>
        </div>
      )}
    </li>
  );
}
