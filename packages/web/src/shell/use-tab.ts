import { useCallback, useEffect, useState } from "react";

import type { Route } from "../route.ts";
import type { Tab } from "./tabs.tsx";

interface TabHandle {
  readonly tab: Tab;
  /** The person goes to it; Back leads to where they were. */
  readonly goToTab: (tab: Tab) => void;
  /** The page shows the conversation by itself, for what is focused there. */
  readonly showChat: () => void;
}

/** On a phone: which part is seen. Going to another page leads to its conversation. */
export function useTab(route: Route): TabHandle {
  const [tab, setTab] = useState(readTab);
  const [shownRoute, setShownRoute] = useState(route);
  if (shownRoute !== route) {
    setShownRoute(route);
    setTab(readTab());
  }
  useEffect(() => {
    const follow = (): void => setTab(readTab());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  const showChat = useCallback(() => {
    if (readTab() !== "chat") history.replaceState(null, "");
    setTab("chat");
  }, []);
  const goToTab = (next: Tab): void => {
    if (next === tab) return;
    // Each page has one entry beside its conversation's, whichever tab is seen.
    if (next === "chat") return history.back();
    if (tab === "chat") history.pushState({ tab: next }, "");
    else history.replaceState({ tab: next }, "");
    setTab(next);
  };
  return { tab, goToTab, showChat };
}

function readTab(): Tab {
  const { tab } = (history.state ?? {}) as { tab?: unknown };
  return tab === "sessions" || tab === "inbox" ? tab : "chat";
}
