import { Inbox, MessagesSquare, PanelsTopLeft, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";

/** The parts of the page. A phone shows one at a time. */
export type Tab = "sessions" | "chat" | "inbox";

const TABS: readonly (readonly [Tab, Words | undefined, LucideIcon])[] = [
  ["sessions", "Sessions", PanelsTopLeft],
  ["chat", undefined, MessagesSquare],
  ["inbox", "Inbox", Inbox],
];

export function Tabs({
  tab,
  page,
  onTab,
  waitingCount,
}: {
  readonly tab: Tab;
  /** The title of the part between the sessions and the inbox. */
  readonly page: Words;
  readonly onTab: (tab: Tab) => void;
  readonly waitingCount: number;
}): ReactNode {
  const say = useWords();
  return (
    <nav className="tabs" aria-label={say("Views")}>
      {TABS.map(([name, label, Icon]) => (
        <button
          key={name}
          type="button"
          aria-current={name === tab ? "page" : undefined}
          onClick={() => onTab(name)}
        >
          <Icon aria-hidden />
          <span>
            {say(label ?? page)}
            {name === "inbox" && waitingCount > 0 && <span className="count">{waitingCount}</span>}
          </span>
        </button>
      ))}
    </nav>
  );
}
