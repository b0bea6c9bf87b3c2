import { countUnloaded } from "@holdpoint/client";
import { toPlainTitle, type Session } from "@holdpoint/protocol";
import { toAskedTitle, useLanguage, useOverview } from "@holdpoint/react";
import { useEffect, useMemo, useState, type ReactNode } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { THEMES, useTheme, type Theme } from "../device/theme.ts";
import type { InboxRows } from "../inbox/use-inbox-rows.ts";
import type { Route } from "../route.ts";
import { navigate } from "../use-route.ts";
import { useChooseLanguage } from "../words/page-language-provider.tsx";
import { LANGUAGES } from "../words/page-language.ts";
import { useWords, type Words } from "../words/use-words.ts";
import type { PaletteEntry } from "./palette-entries.ts";
import { Palette } from "./palette.tsx";
import { useArchivedEntries } from "./use-archived-entries.ts";

/** The most sessions that are loaded for the palette. */
const MAX_SESSIONS = 2000;

const PAGES: readonly (readonly [name: Words, route: Route])[] = [
  ["Start", { name: "home" }],
  ["History", { name: "history" }],
  ["Archived", { name: "archived" }],
  ["Grants", { name: "grants" }],
  ["Devices and programs", { name: "devices" }],
  ["Files of the directory", { name: "folder" }],
];
const THEME_NAMES: Readonly<Record<Theme, Words>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

interface SessionPaletteProps {
  readonly storage: DeviceStorage;
  readonly rows: Pick<InboxRows, "waiting">;
  readonly onNew: () => void;
  readonly onHelp: () => void;
  /** Goes to a session and focuses its oldest pending card. */
  readonly onWaiting: (sessionId: string) => void;
  readonly onClose: () => void;
}

/** The palette of the page: pending interactions, sessions and actions. */
export function SessionPalette(props: SessionPaletteProps): ReactNode {
  const { storage, rows, onNew, onHelp, onWaiting, onClose } = props;
  const say = useWords();
  const { overview, loadMore } = useOverview();
  const [, setTheme] = useTheme(storage);
  const [typed, setTyped] = useState("");
  const archived = useArchivedEntries(typed);
  const { sessions } = overview;
  const { waiting } = rows;
  const isMore = countUnloaded(overview, "sessions") > 0 && overview.sessions.length < MAX_SESSIONS;
  useEffect(() => {
    // If that fails, the palette has only the sessions loaded so far.
    if (isMore) loadMore("sessions").catch(() => undefined);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- loads the next page after each page
  }, [isMore, loadMore, sessions.length]);
  const found = useMemo((): PaletteEntry[] => {
    const titles = new Map(sessions.map(({ sessionId, title }) => [sessionId, title]));
    return [
      ...waiting.map((each) => ({
        key: each.interactionId,
        group: "Waiting for you" as const,
        name: toPlainTitle(toAskedTitle(each, say.language)),
        detail: titles.get(each.sessionId) ?? "",
        run: () => onWaiting(each.sessionId),
      })),
      ...sessions.filter(isInPalette).map(({ sessionId, title, cwd }) => ({
        key: sessionId,
        group: "Sessions" as const,
        name: title === "" ? say("New session") : title,
        detail: cwd,
        run: () => navigate({ name: "session", sessionId }),
      })),
    ];
  }, [say, sessions, waiting, onWaiting]);
  const actions: readonly (readonly [name: Words, run: () => void])[] = [
    ["New session", onNew],
    ...PAGES.map(([name, route]) => [name, () => navigate(route)] as const),
    ["Keyboard shortcuts", onHelp],
    ...THEMES.map((theme) => [THEME_NAMES[theme], () => setTheme(theme)] as const),
  ];
  const entries = actions.map(([name, run]): PaletteEntry => ({
    key: `action ${name}`,
    group: "Actions",
    name: say(name),
    run,
  }));
  const all = [...found, ...archived, ...entries, ...useLanguageEntries()];
  return <Palette entries={all} onTyped={setTyped} onClose={onClose} />;
}

/** Archived sessions are searched by the gateway instead. */
function isInPalette({ archivedAt }: Session): boolean {
  return archivedAt === undefined;
}

/** An entry for each other language, with its own name. */
function useLanguageEntries(): PaletteEntry[] {
  const say = useWords();
  const { tag: spoken } = useLanguage();
  const choose = useChooseLanguage();
  return Object.entries(LANGUAGES)
    .filter(([tag]) => tag !== spoken)
    .map(([tag, language]) => ({
      key: `language ${tag}`,
      group: "Actions",
      name: say("Language: {language}", { language }),
      run: () => choose(tag),
    }));
}
