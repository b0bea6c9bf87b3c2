import { isAwaited } from "@holdpoint/client";
import type { Interaction, Session } from "@holdpoint/protocol";
import { toAskedTitle, useOverview } from "@holdpoint/react";
import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";

import { showBadge } from "../device/badge.ts";
import type { DeviceStorage } from "../device/device-storage.ts";
import { useInboxRows, type InboxRows } from "../inbox/use-inbox-rows.ts";
import type { Route } from "../route.ts";
import { useListedSession } from "../use-listed-session.ts";
import { navigate, useRoute } from "../use-route.ts";
import { useWords, type Say, type Words } from "../words/use-words.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { PAGES } from "./pages-seam.ts";
import { InboxToggle } from "./session-header.tsx";
import { SessionStage, type SessionStageProps } from "./session-stage.tsx";
import { SessionsRail } from "./sessions-rail.tsx";
import { SkipLink, STAGE_ID } from "./skip-link.tsx";
import { Tabs, type Tab } from "./tabs.tsx";
import { useDeviceMode } from "./use-device-mode.ts";
import { useFocusWaiting } from "./use-focus-waiting.ts";
import { useHeldKeys } from "./use-held-keys.ts";
import { useInboxOpen } from "./use-inbox-open.ts";
import { useShellKeys } from "./use-shell-keys.ts";
import { useTab } from "./use-tab.ts";

import "@holdpoint/react/styles/conversation.css";
import "@holdpoint/react/styles/composer.css";
import "../styles/shell.css";
import "../styles/sessions.css";

function goTo({ sessionId }: Session): void {
  navigate({ name: "session", sessionId });
}

interface PlainPageInfo {
  readonly title: Words;
  readonly of: "ArchivedPage" | "DevicesPage" | "FolderPage" | "GrantsPage" | "HistoryPage";
}

/** The pages without a conversation. */
const PLAIN_PAGES: Readonly<Partial<Record<Route["name"], PlainPageInfo>>> = {
  grants: { title: "Grants", of: "GrantsPage" },
  history: { title: "History", of: "HistoryPage" },
  archived: { title: "Archived", of: "ArchivedPage" },
  devices: { title: "Devices and programs", of: "DevicesPage" },
  folder: { title: "Files of the directory", of: "FolderPage" },
};

/** The whole page: sessions, the chosen conversation, the inbox. */
export function Shell({ storage }: { readonly storage: DeviceStorage }): ReactNode {
  const { overview, loaded, connection, refresh } = useOverview();
  const route = useRoute();
  useKeptFocus(route);
  const { tab, goToTab, showChat } = useTab(route);
  const [inboxOpen, setInboxOpen] = useInboxOpen(storage);
  const device = useDeviceMode(storage);
  const sessionId = route.name === "session" ? route.sessionId : undefined;
  const session = useListedSession(sessionId);
  const rows = useInboxRows(overview);
  const { waiting, count: waitingCount } = rows;
  const oldest = findOldest(waiting);
  const waits = useFocusWaiting(oldest?.sessionId, showChat);
  const { focusWaiting, goToWaiting, ...conversation } = waits;
  const { dialog, openDialog, startedId } = useDialogs({ storage, rows, onWaiting: goToWaiting });
  const askedHere = waiting.find((one) => one.sessionId === sessionId);
  const asked = askedHere ?? oldest;
  useTitle({ asked, route, session, count: waitingCount });
  const onHelp = (): void => openDialog("help");
  const onPalette = (): void => openDialog("palette");
  useShellKeys({ onWaiting: focusWaiting, onHelp, onPalette });
  const footer = { storage, device, onHelp, onPalette, selected: route.name };
  const inbox = { overview, rows, loading: !loaded, onClose: () => setInboxOpen(false) };
  return (
    <div className="app" data-tab={tab} data-inbox={inboxOpen ? "open" : "closed"}>
      <SkipLink waits={askedHere !== undefined} onSkip={showChat} onWaiting={focusWaiting} />
      <Banners {...{ connection, route }} onRetry={refresh} />
      <SessionsRail
        overview={overview}
        selectedId={sessionId}
        grantsSelected={route.name === "grants"}
        loading={!loaded}
        onNew={() => openDialog("new")}
        footer={<PAGES.Part of="DeviceFooter" instead={FooterPlace} {...footer} />}
      />
      <Stage
        route={route}
        tab={tab}
        session={session}
        awaited={session !== undefined && isAwaited(session)}
        started={sessionId !== undefined && sessionId === startedId}
        inboxToggle={
          <InboxToggle
            count={waitingCount}
            open={inboxOpen}
            onToggle={() => setInboxOpen(!inboxOpen)}
          />
        }
        {...conversation}
      />
      <PAGES.Part of="InboxPanel" instead={InboxPlace} {...inbox} />
      <Tabs {...{ tab, waitingCount }} page={toPageName(route)} onTab={goToTab} />
      {dialog}
    </div>
  );
}

/** If the focused element is removed with its page, focuses the next page instead of the start of the document. */
function useKeptFocus(route: Route): void {
  const before = useRef(route);
  useEffect(() => {
    const isNext = before.current !== route;
    before.current = route;
    if (isNext && document.activeElement === document.body) {
      document.getElementById(STAGE_ID)?.focus({ preventScroll: true });
    }
  }, [route]);
}

/** The placeholder of the inbox. */
function InboxPlace(): ReactNode {
  const say = useWords();
  return <aside className="inbox" aria-label={say("Inbox")} />;
}

/** The placeholder of the footer. */
function FooterPlace(): ReactNode {
  return <footer className="rail-footer" />;
}

/** The oldest pending interaction, or else the oldest that can be answered late. */
function findOldest(waiting: readonly Interaction[]): Interaction | undefined {
  return waiting.find(({ status }) => status === "pending") ?? waiting[0];
}

interface BannersProps extends ComponentProps<typeof ConnectionBanner> {
  readonly route: Route;
}

/** The banners at the top of the page. */
function Banners({ route, ...connection }: BannersProps): ReactNode {
  return (
    <div className="banner-slot">
      <ConnectionBanner {...connection} />
      <PAGES.Trouble />
      <PAGES.Part
        of="Notices"
        isFolderPage={route.name === "folder"}
        isHeldBack={connection.connection === "held_back"}
      />
    </div>
  );
}

interface Dialogs {
  readonly dialog: ReactNode;
  readonly openDialog: (name: "new" | "help" | "palette") => void;
  /** The session that the person has just started from the dialog, still empty. */
  readonly startedId: string | undefined;
}

interface PaletteParts {
  readonly storage: DeviceStorage;
  readonly rows: InboxRows;
  readonly onWaiting: (sessionId: string) => void;
}

function useDialogs(palette: PaletteParts): Dialogs {
  const [shown, setShown] = useState<"new" | "help" | "palette">();
  const [startedId, setStartedId] = useState<string>();
  const close = (): void => setShown(undefined);
  useHeldKeys(shown !== undefined, close);
  const openStarted = (created: Session): void => {
    close();
    setStartedId(created.sessionId);
    goTo(created);
  };
  const dialog = (
    <>
      {shown === "new" && (
        <PAGES.Part of="NewSessionDialog" onClose={close} onCreated={openStarted} />
      )}
      {shown === "help" && <PAGES.Part of="HelpDialog" onClose={close} />}
      {shown === "palette" && (
        <PAGES.Part
          of="SessionPalette"
          {...palette}
          onNew={() => setShown("new")}
          onHelp={() => setShown("help")}
          onClose={close}
        />
      )}
    </>
  );
  return { dialog, openDialog: setShown, startedId };
}

type StageProps = Omit<SessionStageProps, "sessionId"> & {
  readonly route: Route;
  readonly tab: Tab;
};

/** The middle of the page: a session or another page. */
function Stage({ route, tab, ...rest }: StageProps): ReactNode {
  const { inboxToggle } = rest;
  const say = useWords();
  return (
    <main className="stage" id={STAGE_ID} tabIndex={-1}>
      {tab !== "chat" && (
        <h1 className="hp-visually-hidden">{say(tab === "inbox" ? "Inbox" : "Sessions")}</h1>
      )}
      {route.name === "session" ? (
        <SessionStage key={route.sessionId} sessionId={route.sessionId} {...rest} />
      ) : (
        <PlainPage name={route.name} inboxToggle={inboxToggle} />
      )}
    </main>
  );
}

interface PlainPageProps {
  readonly name: Route["name"];
  readonly inboxToggle: ReactNode;
}

/** A page without a conversation. Default: the start page. */
function PlainPage({ name, inboxToggle }: PlainPageProps): ReactNode {
  const of = PLAIN_PAGES[name]?.of;
  return of === undefined ? (
    <PAGES.Part of="Home" onStarted={goTo} inboxToggle={inboxToggle} />
  ) : (
    <PAGES.Part of={of} inboxToggle={inboxToggle} />
  );
}

function nameOf({ name }: Route, session: Session | undefined, say: Say): string {
  const title = PLAIN_PAGES[name]?.title;
  return title === undefined ? (session?.title ?? "") : say(title);
}

/** The title of the middle of the page. */
function toPageName({ name }: Route): Words {
  return name === "session" ? "Conversation" : (PLAIN_PAGES[name]?.title ?? "Start");
}

interface TitleParts {
  readonly asked: Interaction | undefined;
  readonly route: Route;
  readonly session: Session | undefined;
  readonly count: number;
}

/** Sets the document's title: the title of a pending request, or else of the page. */
function useTitle({ asked, route, session, count }: TitleParts): void {
  const say = useWords();
  const title =
    asked === undefined ? nameOf(route, session, say) : toAskedTitle(asked, say.language);
  useEffect(() => showBadge(count, title), [count, title]);
}
