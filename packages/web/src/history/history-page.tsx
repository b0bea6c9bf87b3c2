import { Button, useAnnounce } from "@holdpoint/react";
import { History, Search } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { useWords } from "../words/use-words.ts";
import { HistoryRow } from "./history-row.tsx";
import { useHistory } from "./use-history.ts";

import "../styles/history.css";
import "../styles/inbox.css";

const MAX_WORDS_LENGTH = 200;

/** What was answered in all sessions: who, when, from where, and what was shown. */
export function HistoryPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const [typed, setTyped] = useState("");
  const words = useDeferredValue(typed.trim());
  const { shown, trouble, showMore } = useHistory(words);
  const [openId, setOpenId] = useState<string>();
  const title = useRef<HTMLHeadingElement>(null);
  useAnnouncedCount(shown);
  return (
    <ColumnPage
      titleRef={title}
      title={say("History")}
      column="history"
      loaded={shown !== undefined}
      {...{ inboxToggle, trouble }}
    >
      <p className="quiet">{say("What was answered in all sessions, newest first.")}</p>
      <label className="history-search">
        <Search aria-hidden />
        <span className="hp-visually-hidden">{say("Search the history")}</span>
        <input
          type="search"
          value={typed}
          maxLength={MAX_WORDS_LENGTH}
          placeholder={say("Command, question, answer, person or session")}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {shown !== undefined && shown.entries.length === 0 && <NothingFound words={shown.words} />}
      {shown !== undefined && shown.entries.length > 0 && (
        <ol className="history-list">
          {shown.entries.map((entry) => (
            <HistoryRow
              key={entry.interactionId}
              entry={entry}
              open={entry.interactionId === openId}
              onToggle={(open) => setOpenId(open ? entry.interactionId : undefined)}
            />
          ))}
        </ol>
      )}
      {shown?.hasMore === true && <Button onClick={showMore}>{say("Show older ones")}</Button>}
    </ColumnPage>
  );
}

function NothingFound({ words }: { readonly words: string }): ReactNode {
  const say = useWords();
  return (
    <div className="grants-empty">
      <History aria-hidden />
      <p>{say(words === "" ? "Nothing was answered yet." : "Nothing answered has these words.")}</p>
      {words === "" && (
        <p className="quiet">
          {say("Each approval, question and form is listed here with its answer.")}
        </p>
      )}
    </div>
  );
}

/** Tells screen readers what a search has found. */
function useAnnouncedCount(shown: ReturnType<typeof useHistory>["shown"]): void {
  const announce = useAnnounce();
  const say = useWords();
  const { words = "", entries, hasMore = false } = shown ?? {};
  const count = entries?.length ?? 0;
  useEffect(() => {
    if (words === "") return;
    announce(
      hasMore
        ? say("More than {n} found", { n: count })
        : say("{count} found|{count} found", { count }),
    );
  }, [announce, say, words, count, hasMore]);
}
