import { countUnloaded, groupSessions, type Overview, type SessionGroups } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";
import {
  BriefText,
  Button,
  toVisibleString,
  useNow,
  useOverview,
  useTransport,
} from "@holdpoint/react";
import { Pencil, Plus, ShieldCheck, Trash2 } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";

import { Link } from "../link.tsx";
import { Mark } from "../mark.tsx";
import { toShortAge } from "../relative-time.ts";
import { toSessionMark, type SessionMark } from "./session-mark.ts";

const AGE_REFRESH_MS = 30_000;

const DeleteSessionDialog = lazy(async () => ({
  default: (await import("./delete-session-dialog.tsx")).DeleteSessionDialog,
}));
const ShowMore = lazy(async () => ({
  default: (await import("../show-more.tsx")).ShowMore,
}));
const RenameField = lazy(async () => ({
  default: (await import("./rename-field.tsx")).RenameField,
}));
const GROUP_NAMES = ["waiting", "working", "earlier"] as const;
const GROUP_TITLES: Readonly<Record<keyof SessionGroups, string>> = {
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

/** All sessions, those that wait for the person first. */
export function SessionsRail(props: SessionsRailProps): ReactNode {
  const { overview, selectedId, grantsSelected, loading, onNew, footer } = props;
  const { loadMore } = useOverview();
  const [deleting, setDeleting] = useState<Session>();
  const { counts, sessions } = overview;
  const groups = groupSessions(sessions);
  const unloaded = countUnloaded(overview, "sessions");
  const totals = { waiting: counts.waitingSessions, working: counts.workingSessions, earlier: 0 };
  return (
    <nav className="rail" aria-label="Sessions">
      <Link to={{ name: "home" }} className="brand">
        <Mark />
        Holdpoint
      </Link>
      <Button className="rail-new" icon={<Plus aria-hidden />} onClick={onNew}>
        New session
      </Button>
      <div className="rail-groups">
        {GROUP_NAMES.filter((name) => groups[name].length > 0).map((name) => (
          <SessionGroup
            key={name}
            name={name}
            sessions={groups[name]}
            total={totals[name]}
            selectedId={selectedId}
            onDelete={setDeleting}
          />
        ))}
        {unloaded > 0 && (
          <Suspense>
            <ShowMore count={unloaded} onMore={() => loadMore("sessions")} />
          </Suspense>
        )}
        {sessions.length === 0 && !loading && (
          <p className="rail-empty">Sessions that you start appear here.</p>
        )}
      </div>
      <Link
        to={{ name: "grants" }}
        className="rail-grants"
        aria-current={grantsSelected ? "page" : undefined}
      >
        <ShieldCheck aria-hidden />
        Grants
      </Link>
      {footer}
      {deleting !== undefined && (
        <Suspense>
          <DeleteSessionDialog
            session={deleting}
            selected={deleting.sessionId === selectedId}
            onClose={() => setDeleting(undefined)}
          />
        </Suspense>
      )}
    </nav>
  );
}

interface SessionGroupProps {
  readonly name: keyof SessionGroups;
  readonly sessions: readonly Session[];
  /** How many there are in all, loaded or not; 0 when that is not known. */
  readonly total: number;
  readonly selectedId: string | undefined;
  readonly onDelete: (session: Session) => void;
}

function SessionGroup({
  name,
  sessions,
  total,
  selectedId,
  onDelete,
}: SessionGroupProps): ReactNode {
  const nowMs = useNow(AGE_REFRESH_MS);
  return (
    <section aria-labelledby={`rail-${name}`}>
      <h2 id={`rail-${name}`} className="rail-title">
        {GROUP_TITLES[name]}
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
            onDelete={() => onDelete(session)}
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
  readonly onDelete: () => void;
}

function SessionEntry(props: SessionEntryProps): ReactNode {
  const { session, mark, selected, nowMs, onDelete } = props;
  const transport = useTransport();
  const [renaming, setRenaming] = useState(false);
  const title = session.title === "" ? "New session" : session.title;
  if (renaming) {
    return (
      <li className="rail-entry">
        <Suspense>
          <RenameField
            name={session.title}
            label="Name of the session"
            maxLength={200}
            save={(name) => transport.updateSession(session.sessionId, { title: name })}
            onClose={() => setRenaming(false)}
          />
        </Suspense>
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
        <span className="hp-visually-hidden">, {mark.words}, </span>
        <SessionAge session={session} failed={mark.dot === "failed"} nowMs={nowMs} />
      </Link>
      <span className="rail-actions">
        <Button
          tone="quiet"
          iconOnly
          title="Rename"
          icon={<Pencil aria-hidden />}
          onClick={() => setRenaming(true)}
        >
          {`Rename ${toVisibleString(title)}`}
        </Button>
        <Button
          tone="quiet"
          iconOnly
          title="Delete"
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        >
          {`Delete ${toVisibleString(title)}`}
        </Button>
      </span>
    </li>
  );
}

/** When something last happened in it; the words about a failure are said already. */
function SessionAge({
  session: { updatedAt },
  failed,
  nowMs,
}: Pick<SessionEntryProps, "nowMs" | "session"> & { readonly failed: boolean }): ReactNode {
  return (
    <span className="rail-age">
      {failed && (
        <span className="rail-failed" aria-hidden>
          failed{" "}
        </span>
      )}
      <time dateTime={updatedAt}>{toShortAge(updatedAt, nowMs)}</time>
    </span>
  );
}
