import { countUnloaded, groupSessions, type Overview, type SessionGroups } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";
import { BriefText, Button, useNow, useOverview, useRole, useTransport } from "@holdpoint/react";
import { Plus, ShieldCheck } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Link } from "../link.tsx";
import { Mark } from "../mark.tsx";
import { toShortAge } from "../relative-time.ts";
import type { AskedAct } from "../sessions/entry-dialog.tsx";
import { toSessionMark, type SessionMark } from "../sessions/session-mark.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { PAGES } from "./pages-seam.ts";

const AGE_REFRESH_MS = 30_000;

const GROUP_NAMES = ["waiting", "working", "earlier"] as const;
const GROUP_TITLES: Readonly<Record<keyof SessionGroups, Words>> = {
  waiting: "Waiting for you",
  working: "Working",
  earlier: "Earlier",
};

interface SessionsRailProps {
  readonly overview: Overview;
  readonly selectedId: string | undefined;
  /** The page of grants is on screen. */
  readonly grantsSelected: boolean;
  readonly loading: boolean;
  readonly onNew: () => void;
  readonly footer: ReactNode;
}

/** All sessions, waiting ones first. That group has a neutral title if some wait for other people. */
export function SessionsRail(props: SessionsRailProps): ReactNode {
  const { overview, selectedId, grantsSelected, loading, onNew, footer } = props;
  const { loadMore } = useOverview();
  const isViewer = useRole() === "viewer";
  const say = useWords();
  const [asked, setAsked] = useState<AskedAct>();
  const { counts, sessions } = overview;
  const groups = groupSessions(sessions);
  const unloaded = countUnloaded(overview, "sessions");
  const totals = { waiting: counts.waitingSessions, working: counts.workingSessions, earlier: 0 };
  return (
    <nav className="rail" aria-label={say("Sessions")}>
      <Link to={{ name: "home" }} className="brand">
        <Mark />
        {say("Holdpoint")}
      </Link>
      {!isViewer && (
        <Button className="rail-new" icon={<Plus aria-hidden />} onClick={onNew}>
          {say("New session")}
        </Button>
      )}
      <div className="rail-groups">
        {GROUP_NAMES.filter((name) => groups[name].length > 0).map((name) => (
          <SessionGroup
            key={name}
            name={name}
            title={titleOf(name, isViewer || counts.forOthers !== undefined)}
            sessions={groups[name]}
            total={totals[name]}
            selectedId={selectedId}
            onAsk={setAsked}
          />
        ))}
        <PAGES.Part of="ShowMore" count={unloaded} onMore={() => loadMore("sessions")} />
        {sessions.length === 0 && !loading && (
          <p className="rail-empty">{say("Sessions that you start appear here.")}</p>
        )}
      </div>
      <Link
        to={{ name: "grants" }}
        className="rail-grants"
        aria-current={grantsSelected ? "page" : undefined}
      >
        <ShieldCheck aria-hidden />
        {say("Grants")}
      </Link>
      {footer}
      <PAGES.Part of="RailStops" />
      {asked !== undefined && (
        <PAGES.Part
          of="EntryDialog"
          {...asked}
          selected={asked.session.sessionId === selectedId}
          onClose={() => setAsked(undefined)}
        />
      )}
    </nav>
  );
}

function titleOf(name: keyof SessionGroups, isForOthers: boolean): Words {
  return name === "waiting" && isForOthers ? "Waiting for an answer" : GROUP_TITLES[name];
}

interface SessionGroupProps {
  readonly name: keyof SessionGroups;
  readonly title: Words;
  readonly sessions: readonly Session[];
  /** The total number, loaded or not; 0 if unknown. */
  readonly total: number;
  readonly selectedId: string | undefined;
  readonly onAsk: (asked: AskedAct) => void;
}

function SessionGroup(props: SessionGroupProps): ReactNode {
  const { name, title, sessions, total, selectedId, onAsk } = props;
  const nowMs = useNow(AGE_REFRESH_MS);
  const say = useWords();
  return (
    <section aria-labelledby={`rail-${name}`}>
      <h2 id={`rail-${name}`} className="rail-title">
        {say(title)}
        {total > sessions.length && ` (${total})`}
      </h2>
      <ul>
        {sessions.map((session) => (
          <SessionEntry
            key={session.sessionId}
            session={session}
            mark={toSessionMark(session, name === "waiting")}
            selected={session.sessionId === selectedId}
            nowMs={nowMs}
            onAsk={onAsk}
          />
        ))}
      </ul>
    </section>
  );
}

interface SessionEntryProps {
  readonly session: Session;
  readonly mark: SessionMark;
  readonly selected: boolean;
  readonly nowMs: number;
  readonly onAsk: (asked: AskedAct) => void;
}

function SessionEntry(props: SessionEntryProps): ReactNode {
  const { session, mark, selected, nowMs, onAsk } = props;
  const transport = useTransport();
  const say = useWords();
  const [renaming, setRenaming] = useState(false);
  const title = session.title === "" ? say("New session") : session.title;
  if (renaming) {
    return (
      <li className="rail-entry">
        <PAGES.Part
          of="RenameField"
          name={session.title}
          label={say("Session name")}
          maxLength={200}
          save={(name) => transport.updateSession(session.sessionId, { title: name })}
          onClose={() => setRenaming(false)}
        />
      </li>
    );
  }
  return (
    <li className="rail-entry" data-selected={selected || undefined}>
      <Link
        to={{ name: "session", sessionId: session.sessionId }}
        className="rail-link"
        aria-current={selected ? "page" : undefined}
      >
        <span className="dot" data-status={mark.dot} aria-hidden />
        <span className="rail-name">
          <BriefText text={title} />
        </span>
        <span className="hp-visually-hidden">, {say(mark.words)}, </span>
        <SessionAge session={session} failed={mark.dot === "failed"} nowMs={nowMs} />
      </Link>
      <PAGES.Part
        of="EntryActions"
        session={session}
        onRename={() => setRenaming(true)}
        onAsk={(act) => onAsk({ act, session })}
      />
    </li>
  );
}

/** The time of the session's last activity. A failure is already shown elsewhere. */
function SessionAge({
  session,
  failed,
  nowMs,
}: Pick<SessionEntryProps, "nowMs" | "session"> & { readonly failed: boolean }): ReactNode {
  const say = useWords();
  const { updatedAt } = session;
  return (
    <span className="rail-age">
      <PAGES.Part of="UnreadMark" session={session} />
      {failed && (
        <span className="rail-failed" aria-hidden>
          {say("failed")}{" "}
        </span>
      )}
      <time dateTime={updatedAt}>{toShortAge(updatedAt, nowMs, say)}</time>
    </span>
  );
}
