import type { Session } from "@holdpoint/protocol";
import { BriefText, Button, useNow, useOverview, useTransport } from "@holdpoint/react";
import { Archive } from "lucide-react";
import { useCallback, useDeferredValue, useRef, useState, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { Link } from "../link.tsx";
import { toShortAge } from "../relative-time.ts";
import { SearchField } from "../search-field.tsx";
import { useSearched, type ReadPage } from "../use-searched.ts";
import { useWords } from "../words/use-words.ts";
import { UnarchiveButton } from "./unarchive-button.tsx";

import "../styles/archived.css";
import "../styles/history.css";

const AGE_REFRESH_MS = 30_000;

/** The archived sessions, which can be searched, opened and restored. */
export function ArchivedPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const [typed, setTyped] = useState("");
  const { shown, trouble, showMore } = useArchived(useDeferredValue(typed.trim()));
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <ColumnPage
      titleRef={title}
      title={say("Archived")}
      column="archived"
      loaded={shown !== undefined}
      {...{ inboxToggle, trouble }}
    >
      <p className="quiet">{say("Archived sessions. A message restores a session.")}</p>
      <SearchField
        label="Search archived sessions"
        placeholder="Title or directory"
        value={typed}
        onChange={setTyped}
      />
      {shown !== undefined && shown.entries.length === 0 && (
        <div className="grants-empty">
          <Archive aria-hidden />
          <p>
            {say(
              shown.words === ""
                ? "No archived sessions"
                : "No archived sessions match your search",
            )}
          </p>
        </div>
      )}
      {shown !== undefined && shown.entries.length > 0 && (
        <ul className="history-list">
          {shown.entries.map((session) => (
            <ArchivedEntry
              key={session.sessionId}
              session={session}
              onTaken={() => title.current?.focus()}
            />
          ))}
        </ul>
      )}
      {shown?.hasMore === true && <Button onClick={showMore}>{say("Show older")}</Button>}
    </ColumnPage>
  );
}

/** The archived sessions. Loaded again when the list of the other sessions changes. */
function useArchived(words: string): ReturnType<typeof useSearched<Session>> {
  const transport = useTransport();
  const { overview } = useOverview();
  const read = useCallback<ReadPage<Session>>(
    (query, options) => transport.listSessions({ ...query, archived: "only" }, options),
    [transport],
  );
  return useSearched(read, words, overview.sessions);
}

interface ArchivedEntryProps {
  readonly session: Session;
  /** Called before the focused button is removed. */
  readonly onTaken: () => void;
}

function ArchivedEntry({ session, onTaken }: ArchivedEntryProps): ReactNode {
  const { sessionId, title, cwd, archivedAt = session.updatedAt } = session;
  const say = useWords();
  const nowMs = useNow(AGE_REFRESH_MS);
  return (
    <li className="archived-entry">
      <Link to={{ name: "session", sessionId }} className="archived-link">
        <span className="inbox-what">
          <BriefText text={title === "" ? say("New session") : title} />
        </span>
        <span className="archived-where">
          <bdi>
            <BriefText text={cwd} />
          </bdi>
          {" · "}
          <time
            dateTime={archivedAt}
            title={new Date(archivedAt).toLocaleString(say.language.locale)}
          >
            {toShortAge(archivedAt, nowMs, say)}
          </time>
        </span>
      </Link>
      <UnarchiveButton session={session} onDone={onTaken} />
    </li>
  );
}
