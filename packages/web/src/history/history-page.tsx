import type { HistoryFilter } from "@holdpoint/protocol";
import { Button, useAgents, useAnnounce } from "@holdpoint/react";
import { History } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { SearchField } from "../search-field.tsx";
import { toSessionAgentName } from "../sessions/agent-name.ts";
import { useWords } from "../words/use-words.ts";
import { ExportButton } from "./export-button.tsx";
import { toSearch } from "./filter-address.ts";
import { HistoryFilters } from "./history-filters.tsx";
import { HistoryRow } from "./history-row.tsx";
import { useFilter } from "./use-filter.ts";
import { useHistory } from "./use-history.ts";

import "../styles/history.css";
import "../styles/inbox.css";

/** The answers of all sessions: person, time, device, and the request as it was shown. */
export function HistoryPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const { filter, change, type } = useFilter();
  const { shown, isOld, trouble, showMore } = useHistory(filter);
  const { agents } = useAgents();
  const [openId, setOpenId] = useState<string>();
  const title = useRef<HTMLHeadingElement>(null);
  const agentName = (agent: string): string =>
    toSessionAgentName(
      agent,
      agents?.find((one) => one.agent === agent),
      say,
    );
  const clear = (): void => {
    change({});
    title.current?.focus();
  };
  useAnnouncedCount(isOld ? undefined : shown, toSearch(filter));
  return (
    <ColumnPage
      titleRef={title}
      title={say("History")}
      column="history"
      loaded={shown !== undefined}
      {...{ inboxToggle, trouble }}
    >
      <p className="quiet">{say("Answers from all sessions, newest first.")}</p>
      <SearchField
        label="Search the history"
        placeholder="Command, question, answer, person or session"
        value={filter.words ?? ""}
        onChange={type}
      />
      <HistoryFilters {...{ filter, change, agentName }}>
        {toSearch(filter) !== "" && (
          <Button tone="quiet" onClick={clear}>
            {say("Clear filters")}
          </Button>
        )}
        <ExportButton filter={filter} />
      </HistoryFilters>
      {shown?.entries.length === 0 && !isOld && <NothingFound filter={filter} onClear={clear} />}
      {shown !== undefined && shown.entries.length > 0 && (
        <ol className="history-list" aria-busy={isOld}>
          {shown.entries.map((entry) => (
            <HistoryRow
              key={entry.interactionId}
              entry={entry}
              agentName={agentName(entry.agent)}
              open={entry.interactionId === openId}
              onToggle={(open) => setOpenId(open ? entry.interactionId : undefined)}
            />
          ))}
        </ol>
      )}
      {shown?.hasMore === true && <Button onClick={showMore}>{say("Show older")}</Button>}
    </ColumnPage>
  );
}

interface NothingFoundProps {
  readonly filter: HistoryFilter;
  readonly onClear: () => void;
}

function NothingFound({ filter, onClear }: NothingFoundProps): ReactNode {
  const say = useWords();
  if (toSearch(filter) === "") {
    return (
      <div className="grants-empty">
        <History aria-hidden />
        <p>{say("Nothing was answered yet.")}</p>
        <p className="quiet">
          {say("Each approval, question and form is listed here with its answer.")}
        </p>
      </div>
    );
  }
  const { words: _, ...narrowing } = filter;
  const hasOnlyWords = toSearch(narrowing) === "";
  return (
    <div className="grants-empty">
      <History aria-hidden />
      <p>{say(hasOnlyWords ? "No answers match your search" : "No answers match these filters")}</p>
      <Button onClick={onClear}>{say("Show all answers")}</Button>
    </div>
  );
}

/** Announces the number of matches to screen readers. */
function useAnnouncedCount(shown: ReturnType<typeof useHistory>["shown"], search: string): void {
  const announce = useAnnounce();
  const say = useWords();
  const { entries, hasMore = false } = shown ?? {};
  const count = entries?.length;
  useEffect(() => {
    if (search === "" || count === undefined) return;
    announce(
      hasMore
        ? say("More than {n} found", { n: count })
        : say("{count} found|{count} found", { count }),
    );
  }, [announce, say, search, count, hasMore]);
}
